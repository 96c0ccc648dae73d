import type { Route } from '../../api/route.ts'
import { cancelCryptoCharge, createCryptoCharge, getCryptoCharge, listCryptoCharges } from './charges.ts'
import { createConversion, getConversion, listConversions, quoteConversion } from './conversions.ts'
import { listCryptoDeposits, resolveCryptoDeposit } from './deposits.ts'

/** Charges in stablecoins, and what becomes of them. */
export const cryptoRoutes: readonly Route[] = [
  createCryptoCharge,
  listCryptoCharges,
  getCryptoCharge,
  cancelCryptoCharge,
  listCryptoDeposits,
  resolveCryptoDeposit,
  quoteConversion,
  createConversion,
  listConversions,
  getConversion,
]
