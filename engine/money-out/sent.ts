import { isPlanned, type MoneyOut, returnedCentsOf } from './money-out.ts'

/**
 * Recounts paid and planned amounts from the payments themselves. Used to check the sums that the account keeps.
 */
export const sentBy = (
  all: Iterable<MoneyOut>,
  currency: MoneyOut['currency'],
): { readonly paidCents: bigint; readonly feeCents: bigint; readonly plannedCents: bigint } => {
  const sent = { paidCents: 0n, feeCents: 0n, plannedCents: 0n }
  for (const out of all) {
    if (out.currency !== currency) continue
    if (out.status === 'COMPLETED') {
      sent.paidCents += BigInt(out.amountCents - returnedCentsOf(out))
      sent.feeCents += BigInt(out.feeCents)
    } else if (isPlanned(out)) sent.plannedCents += BigInt(out.amountCents + out.feeCents)
  }
  return sent
}
