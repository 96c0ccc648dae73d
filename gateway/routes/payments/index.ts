// Routes of payments: PIX, boletos and cards, a folder each, transactions of all methods, and customers.
import type { Route } from '../../api/route.ts'
import { cancelBoletoRoute } from './boletos/cancel-boleto.ts'
import { createBoletoRoute } from './boletos/create-boleto.ts'
import { getBoletoPdfRoute } from './boletos/get-boleto-pdf.ts'
import { getBoletoQrCodeRoute, getBoletoRoute, listBoletosRoute } from './boletos/read-boletos.ts'
import { cancelCardPaymentRoute, captureCardPaymentRoute } from './cards/change-payment.ts'
import { disputeChargebackRoute, listChargebacksRoute } from './cards/chargebacks.ts'
import { createCardPaymentRoute } from './cards/create-payment.ts'
import { getCardFeesRoute } from './cards/read-fees.ts'
import { getCardPaymentRoute, listCardTransactionsRoute } from './cards/read-payments.ts'
import { createCustomerRoute, getCustomerRoute, listCustomersRoute } from './customers.ts'
import { cancelPixChargeRoute } from './pix/cancel-charge.ts'
import { createPixChargeRoute } from './pix/create-charge.ts'
import { createPixDepositRoute } from './pix/create-deposit.ts'
import { contestMedRoute, defendMedRoute, listMedsRoute } from './pix/meds.ts'
import {
  getPixChargeQrCodeRoute,
  getPixChargeRoute,
  getPixDepositQrCodeRoute,
  getPixDepositRoute,
  listPixChargesRoute,
  listPixDepositsRoute,
} from './pix/read-charges.ts'
import { listPixKeysRoute } from './pix/read-keys.ts'
import { getPixOverviewRoute } from './pix/read-overview.ts'
import { listReceivedPixRoute } from './pix/read-received.ts'
import { cancelTransactionRoute } from './transactions/cancel-transaction.ts'
import { exportTransactionsRoute } from './transactions/export-transactions.ts'
import { listTransactionsRoute } from './transactions/list-transactions.ts'
import { getTransactionFacetsRoute } from './transactions/read-facets.ts'
import { getTransactionRoute } from './transactions/read-transaction.ts'
import { refundTransactionRoute } from './transactions/refund-transaction.ts'
import { repeatReturnRoute } from './transactions/repeat-return.ts'
import { sendChargeRoute } from './transactions/send-charge.ts'
import { setFiscalDocumentsRoute } from './transactions/set-fiscal-documents.ts'

/** PIX, cards and boletos. */
export const chargeRoutes: readonly Route[] = [
  createPixChargeRoute,
  listPixChargesRoute,
  getPixChargeRoute,
  getPixChargeQrCodeRoute,
  cancelPixChargeRoute,
  createPixDepositRoute,
  listPixDepositsRoute,
  getPixDepositRoute,
  getPixDepositQrCodeRoute,
  listReceivedPixRoute,
  getPixOverviewRoute,
  listMedsRoute,
  defendMedRoute,
  contestMedRoute,
  listPixKeysRoute,
  createCardPaymentRoute,
  getCardPaymentRoute,
  captureCardPaymentRoute,
  cancelCardPaymentRoute,
  listCardTransactionsRoute,
  listChargebacksRoute,
  disputeChargebackRoute,
  getCardFeesRoute,
  createBoletoRoute,
  listBoletosRoute,
  getBoletoRoute,
  getBoletoPdfRoute,
  getBoletoQrCodeRoute,
  cancelBoletoRoute,
]

/** Charges of all methods, and who pays them. */
export const transactionRoutes: readonly Route[] = [
  listTransactionsRoute,
  getTransactionFacetsRoute,
  exportTransactionsRoute,
  getTransactionRoute,
  refundTransactionRoute,
  cancelTransactionRoute,
  sendChargeRoute,
  setFiscalDocumentsRoute,
  repeatReturnRoute,
  createCustomerRoute,
  listCustomersRoute,
  getCustomerRoute,
]
