import type { PixOverview } from '../../engine/payments/methods/pix/overview.ts'
import type { Tally } from '../../engine/payments/transaction/search.ts'

/** The summary of PIX for a period (decisions, section 10). */
export const pixOverviewView = (overview: PixOverview) => {
  const { charges, med } = overview
  return {
    object: 'pix_overview',
    from: overview.from,
    to: overview.to,
    timezone: overview.timeZone,
    currency: 'BRL',
    charges: {
      created: tallyView(charges.created),
      pending: tallyView(charges.pending),
      paid: tallyView(charges.paid),
      expired: tallyView(charges.expired),
      cancelled: tallyView(charges.cancelled),
      failed: tallyView(charges.failed),
    },
    received: tallyView(overview.received),
    deposits: tallyView(overview.deposits),
    refunds: tallyView(overview.refunds),
    returned: tallyView(overview.returned),
    med: {
      open: tallyView(med.open),
      accepted: tallyView(med.accepted),
      rejected: tallyView(med.rejected),
    },
    feeAmount: String(overview.feeCents),
    netAmount: String(overview.received.cents - overview.feeCents),
    averageTicket: String(overview.averageTicketCents),
    conversionBps: overview.conversionBps,
    daily: overview.daily.map(({ date, received }) => ({
      date,
      receivedCount: received.count,
      receivedAmount: String(received.cents),
    })),
  }
}

const tallyView = ({ count, cents }: Tally) => ({ count, amount: String(cents) })
