import { isDeepStrictEqual } from 'node:util'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'

/** What has versions. */
const versioned: ReadonlySet<string> = new Set(['transaction', 'transfer', 'beneficiary', 'withdrawal'])

type Accepted = Extract<Reply, { accepted: true }>

/** Holds replies against what was told: nobody hears of a state that no entry left behind, or of another's refund. */
export const newReplyCheck = (told: () => readonly FlushedEntry[]) => {
  /** Transactions by id and version. */
  const left = new Map<string, Transaction>()
  let until = 0

  const noteLeft = (): void => {
    for (; until < told().length; until++) {
      const { steps } = told()[until]!
      for (const { event, after } of steps) {
        const last = steps.findLast((step) => step.event.id === event.id)!
        if (!versioned.has(event.actor)) continue
        if (last.after !== after) continue
        left.set(`${event.id} ${(after as Transaction).version}`, after as Transaction)
      }
    }
  }

  return (command: Command, reply: Reply): readonly string[] => {
    noteLeft()
    if (!reply.accepted) return []
    const problems: string[] = []
    if (!isAboutItsPart(command, reply))
      problems.push(`${command.type} is answered about ${reply.reversalId}`)
    const { id, version } = reply.state as Partial<Transaction>
    if (version !== undefined && !isDeepStrictEqual(left.get(`${id} ${version}`), reply.state))
      problems.push(`${command.type} is answered by a state that no entry left`)
    return problems
  }
}

/** A reply tells which refund, chargeback or MED it is about; that of a clock what it shows. */
const isAboutItsPart = (
  command: Command,
  { reversalId, state, replayed, nowMs, realMs }: Accepted,
): boolean => {
  const { refunds, chargebacks, meds } = (state as Partial<Transaction>).reversals ?? {}
  const isOneOf = (parts: readonly { readonly id: string }[] | undefined): boolean =>
    parts?.some(({ id }) => id === reversalId) ?? false
  switch (command.type) {
    case 'RequestRefund':
      return isOneOf(refunds) && (replayed || reversalId === command.refundId)
    case 'ResolveRefund':
      return isOneOf(refunds) && reversalId === command.reversalId
    case 'OpenChargeback':
      return isOneOf(chargebacks)
    case 'DisputeChargeback':
    case 'ResolveChargeback':
      return isOneOf(chargebacks) && reversalId === command.reversalId
    case 'OpenMed':
      return isOneOf(meds)
    case 'DefendMed':
    case 'CloseMed':
    case 'ContestMed':
    case 'ResolveMedContest':
      return isOneOf(meds) && reversalId === command.reversalId
    case 'ResetClock':
      return nowMs === realMs
    default:
      return true
  }
}
