import { isPlanned, type OutgoingTransfer } from './money-out.ts'

/** What has left and what is planned to, according to transfers: checks the sums that the account keeps itself. */
export const sentBy = (
  transfers: Iterable<OutgoingTransfer>,
): { readonly paidCents: bigint; readonly feeCents: bigint; readonly plannedCents: bigint } => {
  const sent = { paidCents: 0n, feeCents: 0n, plannedCents: 0n }
  for (const transfer of transfers) {
    const { status, amountCents, feeCents } = transfer
    if (status === 'COMPLETED') {
      sent.paidCents += BigInt(amountCents)
      sent.feeCents += BigInt(feeCents)
    } else if (isPlanned(transfer)) sent.plannedCents += BigInt(amountCents + feeCents)
  }
  return sent
}
