import { knownConnection } from '../../../../connections/rail-connection.ts'
import type { ProviderOffer } from '../../../../kernel/context.ts'
import { reject } from '../../../../kernel/decision.ts'
import { type AnswerDeciders, providerSilent } from '../../../transaction/calls.ts'
import { type ChargeContext, newCall, type TransactionDecision } from '../../../transaction/charge-context.ts'
import type { ProviderCalled } from '../../../transaction/facts.ts'
import type { EvidenceFile, Med, Transaction } from '../../../transaction/transaction.ts'

/** The call that brings the defence of a MED to the bank that reported it. */
export const defenseCall = (
  version: number,
  { amountCents }: Pick<Med, 'amountCents'>,
  chargeContext: ChargeContext,
): ProviderCalled => ({
  type: 'ProviderCalled',
  call: newCall(version, { operation: 'DEFEND_MED', amountCents }, chargeContext),
  ...chargeContext.fact,
})

/**
 * Refuses what a merchant says in a MED and the bank of the payment would never hear: nothing is stored then, so that no merchant waits for a
 * decision about words that stayed here. Null where there is no connection, or the bank takes it.
 */
export const lackingAtBank = (
  { connectionId }: Pick<Transaction, 'connectionId'>,
  { bankMedId }: Pick<Med, 'bankMedId'>,
  offer: Extract<ProviderOffer, 'DEFEND_MED' | 'CONTEST_MED'>,
  { files }: { readonly files: readonly EvidenceFile[] },
  { account }: ChargeContext,
): TransactionDecision | null => {
  if (connectionId === null) return null
  const offers = knownConnection(account, connectionId)?.offers ?? []
  if (bankMedId === undefined || !offers.includes(offer)) return notOffered(offer)
  return files.length > 0 && !offers.includes('MED_FILES') ? notOffered('MED_FILES') : null
}

const notOffered = (offer: ProviderOffer): TransactionDecision =>
  reject({ reason: 'NOT_OFFERED', rail: 'PIX', offer })

/** The MED whose defence a call brings to the bank: a payment has one open MED at a time, and one defence on its way. */
export const defendedMed = ({ reversals: { meds } }: Pick<Transaction, 'reversals'>): Med | undefined =>
  meds.findLast(({ defense, bankMedId }) => defense !== undefined && bankMedId !== undefined)

/** Decides what a bank's answer to a defence means. */
export const defenseAnswers: AnswerDeciders<'DEFEND_MED'> = {
  DEFEND_MED: (transaction, call, answer, chargeContext) => {
    const fact = { callId: call.id, ...chargeContext.fact }
    const med = defendedMed(transaction)
    switch (answer.type) {
      case 'DONE':
        return { type: 'CallEnded', message: null, ...fact }
      case 'REFUSED': {
        const { message } = answer.refusal
        return med === undefined
          ? { type: 'CallEnded', message, ...fact }
          : { type: 'MedDefenseRefused', medId: med.id, message, ...fact }
      }
      default:
        return providerSilent(call, chargeContext, answer)
    }
  },
}
