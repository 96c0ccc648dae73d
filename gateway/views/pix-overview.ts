import type { PixOverview } from '../../engine/methods/pix/overview.ts'
import type { Tally } from '../../engine/ports.ts'

/** The summary of PIX for a period (decisions, section 10). */
export const pixOverviewView = (overview: PixOverview) => {
  const { charges } = overview
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
    refunds: nothing,
    returned: tallyView(overview.returned),
    med: { open: nothing, accepted: nothing, rejected: nothing },
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

/** Refunds and MED come with a later version; a PIX account of this one has none. */
const nothing = { count: 0, amount: '0' }
