import { randomAlphanumerics } from '../../../shared/ids.ts'
import type { RefundRules } from '../method.ts'
import { endToEndIdOf } from './end-to-end-id.ts'

/** A PIX can be refunded for 90 days from payment; its fee is kept. */
export const pixRefunds: RefundRules = {
  days: 90,
  sinceMs: ({ approvedAtMs }) => approvedAtMs!,
  returnsFee: false,
  isReserved: true,
  newReturnId: ({ institution, nowMs, entropy }) =>
    endToEndIdOf('D', institution.ispb, nowMs, randomAlphanumerics(11, entropy)),
}
