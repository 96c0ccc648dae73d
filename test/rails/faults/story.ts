import type { Test } from 'tap'
import type { Call } from '../../e2e/service.ts'
import type { RailHost, Shop } from '../live-service.ts'
import type { HeldCall } from './held-providers.ts'

/** Where the service is killed in the middle of a fault (rails, section 7). */
export type Kill = 'BEFORE_ASK' | 'BEFORE_ANSWER' | 'BEFORE_FLUSH'
export const everyKill: readonly Kill[] = ['BEFORE_ASK', 'BEFORE_ANSWER', 'BEFORE_FLUSH']

/** A row of the table of faults: what goes wrong, and what it must come to. */
export type FaultStory = {
  /** The number of section 7, or what section 10 calls it. */
  readonly fault: string
  readonly title: string
  readonly bankName: string
  /** What the service asks the bank when it is killed; null where it asks nothing. */
  readonly asks: HeldAsk | null
  /** The kills that can be: where the fault keeps the bank from doing anything, there is no effect without an answer. */
  readonly kills?: readonly Kill[]
  /** What is there before the fault. */
  readonly begin?: (stage: Stage) => Promise<unknown>
  /** A minute later. */
  readonly early?: (stage: Stage) => Promise<unknown>
  /** The faults of the bank, once for all lives of the service. */
  readonly faults?: (stage: Stage) => Promise<unknown>
  /** What has the service ask; 72 s later, so that it has polled meanwhile. */
  readonly turn?: (stage: Stage) => Promise<unknown>
  /** Whether it is a request of a merchant who repeats it with the same key when no answer comes. */
  readonly isRepeated?: boolean
  /** What happens so long after the turn; by its function, at moments of the bank's clock that the stage decides. */
  readonly later?: readonly LaterStep[] | ((stage: Stage) => readonly LaterStep[])
  /** How much of the clock it takes; a day and a half by default. */
  readonly takes?: 'DAYS' | 'WEEKS'
  /** Whether its point comes some time after the turn, when the clock has moved on. */
  readonly comesLater?: true
  /** The connection's settings that are not the common ones. */
  readonly settings?: object
  /** What it came to, a day of the clock or more after the fault. */
  readonly end: (stage: Stage) => Promise<unknown>
}

/** What happens some time after the turn of a story. */
export type LaterStep = {
  readonly afterMs: number
  readonly does: (stage: Stage) => Promise<unknown>
}

/** A call to a provider, and the request that it sends. */
export type HeldAsk = { readonly call: HeldCall; readonly verb: string; readonly path: string }

/** A round of a story at a shop of its own. */
export type Stage = Shop & {
  readonly host: RailHost
  /** Asks as a person of the company does, who confirms what needs to be confirmed; null where the story has none. */
  readonly sign: Call | null
  /** Another bank of the same company, where the story has one. */
  readonly other: Shop['bank'] | null
  readonly otherConnection: { readonly id: string } | null
  readonly kill: Kill | null
  /** The test whose assertions the end makes. */
  t: Test
  /** What the turn came to; it may take as long as the service lives. */
  answer: Promise<any>
  /** What a step leaves for the next ones. */
  readonly kept: Record<string, any>
  /** The moment of the round that is shown as 0, by the clock of the bank. */
  readonly startMs: number
  readonly idempotencyKey: string
}

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Makes a charge of 19.90, as a merchant does who repeats it with the same key. */
export const charge = async (stage: Stage, change: object = {}, key?: string): Promise<any> => {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const { status, body } = await stage.call('POST', '/v1/pix/charges', { amount: 1990, ...change }, headers)
  if (status !== 201) throw new Error(`a charge was answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const chargeNow = async ({ call }: Stage, id: string): Promise<any> =>
  (await call('GET', `/v1/pix/charges/${id}`)).body

export const transactionNow = async ({ call }: Stage, id: string): Promise<any> =>
  (await call('GET', `/v1/transactions/${id}`)).body

export const receivedOf = async ({ call }: Stage, txid: string): Promise<readonly any[]> =>
  (await call('GET', `/v1/pix/received?txid=${txid}`)).body.data

export const comesTo = async (stage: Stage, id: string, status: string): Promise<void> => {
  for (let tries = 0; (await chargeNow(stage, id)).status !== status; tries++) {
    if (tries > 400)
      throw new Error(`${id} does not come to ${status}: it is ${(await chargeNow(stage, id)).status}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A charge that the bank has registered: on a busy machine one may take longer than a connection waits for it. */
export const payableCharge = async (stage: Stage, change: object = {}): Promise<any> => {
  for (let tries = 0; ; tries++) {
    const made = await charge(stage, change)
    if (made.status === 'PENDING') return made
    if (tries === 5) throw new Error(`${stage.connection.id} registers nothing`)
  }
}

/** A charge that its payer has paid, and that is approved. */
export const paidCharge = async (stage: Stage): Promise<any> => {
  const made = await payableCharge(stage)
  await stage.bank.hold('POST /pay', { txid: made.pix.txid })
  await comesTo(stage, made.id, 'APPROVED')
  return chargeNow(stage, made.id)
}

/** The requests to the bank of a verb whose path fits, oldest first. */
export const requestsTo = ({ bank }: Pick<Stage, 'bank'>, verb: string, path: RegExp): readonly any[] =>
  bank.server.requests().filter((one) => one.verb === verb && path.test(one.path))
