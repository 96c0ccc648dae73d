import { unreachable } from '../../engine/shared/assert.ts'
import type { ProviderAsk, ProviderInstance, ProviderOutcome, Repeat } from './port.ts'

/** Asks whose reference the provider did not know, and since when, in milliseconds of the stopwatch. */
export type NotFoundTimes = Map<string, number>

/** A provider may find what it was sent only after a while: it has to say twice, so far apart, that there is nothing. */
export const notFoundApartMs = 60_000
/** What is forgotten is found missing twice once more, so nothing is lost by forgetting. */
const notFoundMax = 10_000

/**
 * Carries out an ask as often as its operation may be repeated (rails, section 1.2), so that no adapter has to think of it. Without a
 * doubt it is sent; one that may have arrived before is sent again only where that moves no money twice.
 */
export const carryOut = (
  instance: Pick<ProviderInstance, 'ask' | 'inquire'>,
  repeat: Repeat,
  ask: ProviderAsk,
  mayHaveArrived: boolean,
  notFound: NotFoundTimes,
  stopwatch: () => number,
): Promise<ProviderOutcome> => {
  if (!mayHaveArrived) return instance.ask(ask)
  switch (repeat) {
    case 'SAFE':
      return askAndInquire(instance, ask)
    case 'INQUIRE_FIRST':
      return inquireAndAsk(instance, ask, notFound, stopwatch)
    case 'NEVER':
      return inquire(instance, ask)
    default:
      return unreachable(repeat)
  }
}

/**
 * Finds out what became of an ask that must not be sent any more. What never left was not done; of what may have left, the provider has to say
 * twice that it knows nothing.
 */
export const inquireOnly = async (
  instance: Pick<ProviderInstance, 'inquire'>,
  ask: ProviderAsk,
  mayHaveArrived: boolean,
  notFound: NotFoundTimes,
  stopwatch: () => number,
): Promise<ProviderOutcome> => {
  if (!mayHaveArrived) return nothingDone
  const found = await instance.inquire(ask)
  if (found.type !== 'NOT_FOUND') return found
  return isSurelyMissing(ask.callId, notFound, stopwatch) ? nothingDone : undecided
}

const nothingDone: ProviderOutcome = {
  type: 'REFUSED',
  refusal: {
    reason: 'PROVIDER_ERROR',
    message: 'the provider knows nothing of it',
    network: null,
    provider: null,
    retryOn: 'NONE',
    stepUp: false,
    attempt: null,
  },
}

/** A refusal of a repeat may mean that the reference was used, by the first time. */
const askAndInquire = async (
  instance: Pick<ProviderInstance, 'ask' | 'inquire'>,
  ask: ProviderAsk,
): Promise<ProviderOutcome> => {
  const outcome = await instance.ask(ask)
  if (outcome.type !== 'REFUSED') return outcome
  const found = await instance.inquire(ask)
  return found.type === 'NOT_FOUND' ? outcome : found
}

const inquireAndAsk = async (
  instance: Pick<ProviderInstance, 'ask' | 'inquire'>,
  ask: ProviderAsk,
  notFound: NotFoundTimes,
  stopwatch: () => number,
): Promise<ProviderOutcome> => {
  const { callId } = ask
  const found = await instance.inquire(ask)
  if (found.type === 'SILENT') return found
  if (found.type !== 'NOT_FOUND') {
    notFound.delete(callId)
    return found
  }
  return isSurelyMissing(callId, notFound, stopwatch) ? instance.ask(ask) : undecided
}

/** Whether the provider has said twice, so far apart, that it does not know this call. */
const isSurelyMissing = (callId: string, notFound: NotFoundTimes, stopwatch: () => number): boolean => {
  const sinceMs = notFound.get(callId)
  if (sinceMs !== undefined && stopwatch() - sinceMs >= notFoundApartMs) {
    notFound.delete(callId)
    return true
  }
  if (sinceMs === undefined) remember(notFound, callId, stopwatch())
  return false
}

const inquire = async (
  instance: Pick<ProviderInstance, 'inquire'>,
  ask: ProviderAsk,
): Promise<ProviderOutcome> => {
  const found = await instance.inquire(ask)
  return found.type === 'NOT_FOUND' ? undecided : found
}

const remember = (notFound: NotFoundTimes, callId: string, atMs: number): void => {
  if (notFound.size >= notFoundMax) notFound.delete(notFound.keys().next().value!)
  notFound.set(callId, atMs)
}

const undecided: ProviderOutcome = { type: 'PENDING', againInMs: null, evidence: null }
