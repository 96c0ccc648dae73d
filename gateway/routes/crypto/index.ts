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

/** Charges in stablecoins, and what becomes of them. */
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
