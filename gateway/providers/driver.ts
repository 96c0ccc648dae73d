import type { RecordAnswer } from '../../engine/commands.ts'
import type { Provider, ProviderAnswer, ProviderRequest } from '../../engine/providers.ts'
import type { Method } from '../../engine/transaction/transaction.ts'
import { ShardUnavailable } from '../../engine/unavailable.ts'

/** Carries calls to providers and their answers back, each as a command like any other. */
export type ProviderDriver = {
  /** A call whose intent is on disk. */
  readonly drive: (request: ProviderRequest) => void
  readonly inFlight: () => number
}

export type ProviderDriverOptions = {
  readonly providers: Readonly<Partial<Record<Method, Provider>>>
  readonly tell: (command: RecordAnswer) => Promise<unknown>
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  /** How long a provider may take: then it is silent (decisions, section 9). */
  readonly answerTimeoutMs: number
  /** Between the tries to tell a shard that cannot be written. */
  readonly retryMs: number
  readonly onFault: (error: unknown, request: ProviderRequest) => void
}

export const openProviderDriver = (options: ProviderDriverOptions): ProviderDriver => {
  const { providers, tell, wait } = options
  let inFlight = 0

  const drive = async (request: ProviderRequest): Promise<void> => {
    inFlight += 1
    const late: Promise<ProviderAnswer> = wait(options.answerTimeoutMs).then(() => ({ type: 'SILENT' }))
    await record(request, await Promise.race([ask(request), late]))
    inFlight -= 1
  }

  /** An exception says nothing of what the provider did: it is silence. */
  const ask = async (request: ProviderRequest): Promise<ProviderAnswer> => {
    try {
      return await providers[request.method]!.ask(request)
    } catch (error) {
      options.onFault(error, request)
      return { type: 'SILENT' }
    }
  }

  /** Until it is in the journal. A shard that recovers meanwhile has the call driven again; one answer more is harmless. */
  const record = async (request: ProviderRequest, answer: ProviderAnswer): Promise<void> => {
    const { accountId, transactionId, reference } = request
    for (;;) {
      try {
        const by = { kind: 'PROVIDER', id: null } as const
        await tell({ type: 'RecordAnswer', accountId, by, transactionId, callId: reference, answer })
        return
      } catch (error) {
        if (!(error instanceof ShardUnavailable)) return options.onFault(error, request)
        await wait(options.retryMs)
      }
    }
  }

  return { drive: (request) => void drive(request), inFlight: () => inFlight }
}
