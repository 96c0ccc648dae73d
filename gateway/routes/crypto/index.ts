// Routes of stablecoins: charges, deposits and conversions. Withdrawals are in `routes/money-out`.
import type { Route } from '../../api/route.ts'
import {
  cancelCryptoChargeRoute,
  createCryptoChargeRoute,
  getCryptoChargeRoute,
  listCryptoChargesRoute,
} from './charges.ts'
import {
  createConversionRoute,
  getConversionRoute,
  listConversionsRoute,
  quoteConversionRoute,
} from './conversions.ts'
import { listCryptoDepositsRoute, resolveCryptoDepositRoute } from './deposits.ts'

/** Charges in stablecoins, deposits and conversions. */
export const cryptoRoutes: readonly Route[] = [
  createCryptoChargeRoute,
  listCryptoChargesRoute,
  getCryptoChargeRoute,
  cancelCryptoChargeRoute,
  listCryptoDepositsRoute,
  resolveCryptoDepositRoute,
  quoteConversionRoute,
  createConversionRoute,
  listConversionsRoute,
  getConversionRoute,
]
