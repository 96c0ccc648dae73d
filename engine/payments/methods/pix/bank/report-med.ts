import { accept } from '../../../../kernel/decision.ts'
import { toCents } from '../../../../shared/money.ts'
import type { ExistingChargeDecider } from '../../../transaction/charge-context.ts'
import type { TransactionFact } from '../../../transaction/facts.ts'
import type { ReportMed } from '../commands.ts'
import { medOpened } from '../med.ts'

/**
 * What a bank says of an infraction report. Opened, it blocks money; rejected or cancelled, it lets it go. That it is accepted moves
 * nothing: the return that follows does, and closes it. One whose bank has returned nothing lets the money go, too.
 */
export const reportMed: ExistingChargeDecider<ReportMed> = (transaction, { med }, chargeContext) => {
  const { bankMedId, state, amountCents, reason, details, hasReturn } = med
  const known = transaction.reversals.meds.find((one) => one.bankMedId === bankMedId)
  if (known === undefined) {
    if (state !== 'OPEN' && state !== 'IN_DEFENCE') return accept()
    const asked = { amountCents, reason, details, isForced: true, bankMedId } as const
    return medOpened(transaction, asked, chargeContext)
  }
  const isOver =
    state === 'REJECTED' || state === 'CANCELLED' || (state === 'ACCEPTED' && hasReturn === false)
  if (known.status !== 'OPEN' || !isOver) return accept()
  return accept<TransactionFact>({
    type: 'MedClosed',
    medId: known.id,
    result: state,
    returnedCents: toCents(0),
    ...chargeContext.fact,
  })
}
