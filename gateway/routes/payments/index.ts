import type { Route } from '../../api/route.ts'
import { cancelBoleto } from './boletos/cancel-boleto.ts'
import { createBoleto } from './boletos/create-boleto.ts'
import { getBoletoPdf } from './boletos/get-boleto-pdf.ts'
import { getBoleto, getBoletoQrCode, listBoletos } from './boletos/read-boletos.ts'
import { cancelCardPayment, captureCardPayment } from './cards/change-payment.ts'
import { disputeChargeback, listChargebacks } from './cards/chargebacks.ts'
import { createCardPayment } from './cards/create-payment.ts'
import { getCardFees } from './cards/read-fees.ts'
import { getCardPayment, listCardTransactions } from './cards/read-payments.ts'
import { createCustomer, getCustomer, listCustomers } from './customers.ts'
import { cancelPixCharge } from './pix/cancel-charge.ts'
import { createPixCharge } from './pix/create-charge.ts'
import { createPixDeposit } from './pix/create-deposit.ts'
import { contestMed, defendMed, listMeds } from './pix/meds.ts'
import {
  getPixCharge,
  getPixChargeQrCode,
  getPixDeposit,
  getPixDepositQrCode,
  listPixCharges,
  listPixDeposits,
} from './pix/read-charges.ts'
import { listPixKeys } from './pix/read-keys.ts'
import { getPixOverview } from './pix/read-overview.ts'
import { listReceivedPix } from './pix/read-received.ts'
import { cancelTransaction } from './transactions/cancel-transaction.ts'
import { exportTransactions } from './transactions/export-transactions.ts'
import { listTransactions } from './transactions/list-transactions.ts'
import { getTransactionFacets } from './transactions/read-facets.ts'
import { getTransaction } from './transactions/read-transaction.ts'
import { refundTransaction } from './transactions/refund-transaction.ts'

/** PIX, cards and boletos. */
export const chargeRoutes: readonly Route[] = [
  createPixCharge,
  listPixCharges,
  getPixCharge,
  getPixChargeQrCode,
  cancelPixCharge,
  createPixDeposit,
  listPixDeposits,
  getPixDeposit,
  getPixDepositQrCode,
  listReceivedPix,
  getPixOverview,
  listMeds,
  defendMed,
  contestMed,
  listPixKeys,
  createCardPayment,
  getCardPayment,
  captureCardPayment,
  cancelCardPayment,
  listCardTransactions,
  listChargebacks,
  disputeChargeback,
  getCardFees,
  createBoleto,
  listBoletos,
  getBoleto,
  getBoletoPdf,
  getBoletoQrCode,
  cancelBoleto,
]

/** Charges of all methods, and who pays them. */
export const transactionRoutes: readonly Route[] = [
  listTransactions,
  getTransactionFacets,
  exportTransactions,
  getTransaction,
  refundTransaction,
  cancelTransaction,
  createCustomer,
  listCustomers,
  getCustomer,
]
