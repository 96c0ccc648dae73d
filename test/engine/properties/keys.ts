import { isDeepStrictEqual } from 'node:util'
import type { Idempotency } from '../../../engine/kernel/command.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { AnyFact, Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { bounds } from '../../../engine/shared/bounds.ts'

/** Commands that were sent with idempotency keys, and what must hold of their replies (decisions, section 5). */
export type Keys = {
  /** A new key for a command. */
  readonly newKey: (build: () => Command) => Idempotency
  /** The nth command with a key, from the newest, to be sent again; as another one where `changed`. */
  readonly again: (n: number, changed: boolean) => Command | undefined
  readonly sent: (command: Command, sent: Sent) => void
  /** Throws where a key has had two effects, or is replayed otherwise than it was answered. */
  readonly replied: (command: Command, reply: Reply, sent: Sent) => void
}

export type Sent = {
  /** Real time. */
  readonly atMs: number
  /** How often the Sandbox had been cleared. */
  readonly clears: number
}

type Keyed = {
  readonly idempotency: Idempotency
  readonly build: () => Command
  readonly sent: Sent[]
  /** What it was answered, for an effect. */
  readonly effects: (Sent & { readonly reply: Accepted })[]
}

type Accepted = Extract<Reply, { accepted: true }>

export const newKeys = (): Keys => {
  const keyed: Keyed[] = []
  let count = 0

  const keyedOf = ({ idempotency: own }: Command): Keyed | undefined =>
    keyed.find(({ idempotency }) => idempotency.key === own?.key)

  const replied = (command: Command, reply: Reply, sent: Sent): void => {
    const one = keyedOf(command)
    if (one === undefined) return
    const isSame = command.idempotency!.fingerprint === one.idempotency.fingerprint
    const stands = ({ atMs, clears }: Sent): boolean =>
      clears === sent.clears && sent.atMs < atMs + bounds.idempotencyRetentionMs
    const standing = one.effects.find(stands)
    if (!reply.accepted) {
      const { reason } = reply.rejection
      if (standing === undefined || reason === 'IDEMPOTENCY_KEY_IN_PROGRESS') return
      if (!isSame && reason === 'IDEMPOTENCY_KEY_REUSED') return
      throw new Error(`${command.type} has had its effect, and is refused: ${reason}`)
    }
    if (reply.replayed && isAtOnce(command) && !one.sent.some((other) => other !== sent && stands(other)))
      throw new Error(`${command.type} is a replay of nothing`)
    if (isUnchanged(command, reply)) return
    if (!isSame) {
      if (standing !== undefined) throw new Error(`${command.type}: one key has two meanings`)
      // The key stands for something else from now on.
      keyed.splice(keyed.indexOf(one), 1)
      return
    }
    if (standing === undefined) {
      // The answer to the one that had the effect may have been lost in a crash.
      const first = reply.replayed ? one.sent.find(stands)! : sent
      one.effects.push({ ...first, reply })
      return
    }
    if (!reply.replayed && !standing.reply.replayed)
      throw new Error(`${command.type} has had its effect twice`)
    const isOther = !isDeepStrictEqual(standing.reply.state, reply.state) && !isOvertaken(standing.reply)
    if (isOther || standing.reply.reversalId !== reply.reversalId)
      throw new Error(`${command.type} is replayed otherwise than it was answered`)
  }

  return {
    newKey: (build) => {
      const idempotency = { key: `key-${++count}`, fingerprint: 'f' }
      keyed.push({ idempotency, build, sent: [], effects: [] })
      return idempotency
    },
    again: (n, changed) => {
      const one = keyed.at(-1 - n)
      if (one === undefined) return undefined
      const { key, fingerprint } = one.idempotency
      return { ...one.build(), idempotency: { key, fingerprint: changed ? 'another' : fingerprint } }
    },
    sent: (command, sent) => keyedOf(command)?.sent.push(sent),
    replied,
  }
}

/** What stands for a capture or a void is its answer, whenever it comes; for these it is what was sent. */
const isAtOnce = ({ type }: Command): boolean =>
  type === 'CreateCharge' ||
  type === 'RequestRefund' ||
  type === 'CreateTransfer' ||
  type === 'CreateWithdrawal' ||
  type === 'Convert'

/** A capture or a void that was refused, or is not known yet, is no effect. */
const isUnchanged = ({ type }: Command, { state }: Accepted): boolean =>
  (type === 'CaptureCharge' || type === 'CancelCharge' || type === 'CancelCardPayment') &&
  (state as Transaction).status === 'AUTHORIZED'

/** Of several refunds that one chargeback ends only one keeps its answer: of the others the request is answered again. */
const isOvertaken = ({ state, reversalId }: Accepted): boolean =>
  (state as Partial<Transaction>).reversals?.refunds.some(
    ({ id, failureReason }) => id === reversalId && failureReason === 'DISPUTE_OPENED',
  ) ?? false

/** By the journal: a key stands for one effect within its time. */
export const keyProblems = (entries: readonly Entry[]): readonly string[] => {
  const problems: string[] = []
  const last = new Map<string, number>()
  for (const { events, idempotency, atMs } of entries) {
    if (events.some(({ type }) => type === 'SandboxCleared')) last.clear()
    if (idempotency === undefined || !events.some(isEffect)) continue
    const before = last.get(idempotency.key)
    if (before !== undefined && atMs < before + bounds.idempotencyRetentionMs)
      problems.push(`${idempotency.key} has two effects`)
    last.set(idempotency.key, atMs)
  }
  return problems
}

const effects: ReadonlySet<AnyFact['type']> = new Set([
  'ChargeCreated',
  'CardCaptured',
  'CardVoided',
  'ChargeCancelled',
  'RefundRequested',
  'MoneyOutCreated',
  'ConversionRequested',
])
const isEffect = ({ type }: AnyFact): boolean => effects.has(type)
