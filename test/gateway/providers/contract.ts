import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import { paymentRails } from '../../../engine/payments/methods/index.ts'
import type { Rail } from '../../../engine/shared/rail.ts'
import type { AnyAnswer, Provider } from '../../../gateway/providers/provider.ts'

const rails: readonly Rail[] = [...paymentRails, 'PAYOUT', 'KEYS']

/** A provider, and questions of which the test knows what becomes of them. No two have the same reference. */
export type Subject = {
  readonly provider: Provider
  readonly does: readonly ContractRequest[]
  readonly refuses: readonly ContractRequest[]
  /** Not answered, or not decided yet, when they are first asked. */
  readonly leavesOpen: readonly ContractRequest[]
  /** Authorizations that it left open, and how each is taken back. */
  readonly takesBack: readonly {
    readonly left: ContractRequest
    readonly reversal: ContractRequest
  }[]
  /**
   * What was really done, in centavos by reference, for as long as it was asked here; null where it cannot be looked into.
   * The Sandbox's providers remember nothing: their books are their answers.
   */
  readonly done: (() => ReadonlyMap<string, number>) | null
}

/** What every provider has to pass, before it is connected to anything. */
export const providerContract = (t: Test, make: () => Subject): void => {
  const { provider } = make()
  t.test(`${provider.name} keeps the contract of providers`, async (t) => {
    t.strictSame(await complaintsAbout(make()), [])
  })
}

/** What the contract asks. */
export type ContractRequest = ProviderCallRequest

/** What a provider does otherwise than a provider must. */
export const complaintsAbout = async (subject: Subject): Promise<readonly string[]> => {
  const complaints: string[] = []
  const demand = (isSo: boolean, complaint: string): void => {
    if (!isSo) complaints.push(complaint)
  }
  const { provider, does, refuses, leavesOpen, takesBack } = subject
  const { name, label } = provider

  /** An exception is a complaint, and says nothing of what was done. */
  const ask = async (request: ProviderCallRequest): Promise<AnyAnswer> => {
    try {
      return await provider.request(request)
    } catch {
      complaints.push(`rejects ${textOf(request)}`)
      return { type: 'SILENT' }
    }
  }

  demand(
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && label.length > 0,
    'has no name that lasts, or none for people',
  )
  demand(provider.rails.every((rail) => rails.includes(rail)) && provider.rails.length > 0, 'has no rail')
  for (const { rail } of [...does, ...refuses, ...leavesOpen])
    demand(provider.rails.includes(rail), `is asked for ${rail}, which is none of its rails`)

  const evidence = new Set<string>()
  for (const request of does) {
    const [answer, twin] = await Promise.all([ask(request), ask(request)])
    demand(
      answer.type === 'DONE' || answer.type === 'FOUND',
      `does not do ${textOf(request)}: ${answer.type}`,
    )
    demand(isDeepStrictEqual(twin, answer), `answers ${textOf(request)} in two ways at once`)
    demand(
      isDeepStrictEqual(await ask(later(request)), answer),
      `answers ${textOf(request)} otherwise when asked again`,
    )
    if (request.operation !== 'AUTHORIZE' || answer.type !== 'DONE' || !('evidence' in answer)) continue
    demand(answer.evidence?.tid != null, `does not say what it authorized by ${textOf(request)}`)
    demand(!evidence.has(String(answer.evidence?.tid)), `calls two authorizations ${answer.evidence?.tid}`)
    evidence.add(String(answer.evidence?.tid))
  }
  for (const request of refuses) {
    const answer = await ask(request)
    demand(
      answer.type === 'REFUSED' || answer.type === 'NOT_FOUND',
      `does not refuse ${textOf(request)}: ${answer.type}`,
    )
    demand(isDeepStrictEqual(await ask(later(request)), answer), `changes its mind about ${textOf(request)}`)
  }
  for (const request of leavesOpen) {
    const { type } = await ask(request)
    demand(type === 'PENDING' || type === 'SILENT', `does not leave ${textOf(request)} open: ${type}`)
    const then = await ask(later(request))
    if (then.type !== 'DONE' && then.type !== 'REFUSED') continue
    demand(isDeepStrictEqual(await ask(later(request)), then), `changes its mind about ${textOf(request)}`)
  }
  for (const { left, reversal } of takesBack) {
    await ask(left)
    demand((await ask(reversal)).type === 'DONE', `does not take back ${textOf(left)}`)
    demand(
      (await ask(later(reversal))).type === 'DONE',
      `does not take back ${textOf(left)} when asked again`,
    )
  }

  const done = subject.done?.() ?? null
  if (done !== null) {
    for (const { reference, ...request } of does) {
      const amountCents = 'amountCents' in request ? request.amountCents : undefined
      demand(
        done.get(reference) === amountCents,
        `${reference} moved ${done.get(reference)} of ${amountCents}`,
      )
    }
    for (const { reference } of refuses) demand(!done.has(reference), `${reference} was refused, and moved`)
  }
  return complaints
}

/** The same question, asked again when everything that takes its time is decided. */
const later = (request: ContractRequest): ContractRequest => ({
  ...request,
  ...('asked' in request && { asked: request.asked + 1 }),
  nowMs: request.nowMs + 60_000,
})

const textOf = ({ operation, reference }: ContractRequest): string => `${operation} ${reference}`
