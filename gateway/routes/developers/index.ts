import type { Route } from '../../api/route.ts'
import {
  changeApiKeyRoute,
  createApiKeyRoute,
  listApiKeysRoute,
  listKeyRequestsRoute,
  revokeApiKeyRoute,
  rollApiKeyRoute,
} from './keys.ts'
import { expireSandboxBoletoRoute, paySandboxBoletoRoute } from './sandbox/boletos.ts'
import {
  openSandboxChargebackRoute,
  resolveSandboxCardPaymentRoute,
  resolveSandboxChargebackRoute,
} from './sandbox/cards.ts'
import { advanceSandboxClockRoute, getSandboxClockRoute, resetSandboxClockRoute } from './sandbox/clock.ts'
import {
  confirmSandboxCryptoChargeRoute,
  dropSandboxCryptoChargeRoute,
  paySandboxCryptoChargeRoute,
  resolveSandboxConversionRoute,
  resolveSandboxCryptoWithdrawalRoute,
  setSandboxCryptoRateRoute,
} from './sandbox/crypto.ts'
import { expireSandboxChargeRoute } from './sandbox/expire-charge.ts'
import { chargeSandboxMandateRoute, resolveSandboxMandateRoute } from './sandbox/mandates.ts'
import { closeSandboxMedRoute, openSandboxMedRoute, resolveSandboxMedContestRoute } from './sandbox/meds.ts'
import { paySandboxChargeRoute, receiveSandboxPixRoute } from './sandbox/pay-charge.ts'
import { compareSandboxDayRoute } from './sandbox/reconciliations.ts'
import { resetSandboxRoute, sendSandboxEventRoute } from './sandbox/send-event.ts'
import { receiveUnmatchedSandboxPixRoute } from './sandbox/suspense.ts'
import {
  resolveSandboxRefundRoute,
  seedSandboxTransactionRoute,
  settleSandboxTransactionRoute,
} from './sandbox/transactions.ts'
import {
  approveSandboxTransferRoute,
  resolveSandboxTransferRoute,
  returnSandboxTransferRoute,
} from './sandbox/transfers.ts'
import {
  getDeliveryRoute,
  listDeliveriesRoute,
  resendDeliveriesRoute,
  resendDeliveryRoute,
  retryDeliveryRoute,
} from './webhooks/deliveries.ts'
import {
  changeWebhookEndpointRoute,
  createWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  getWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  listWebhookEventTypesRoute,
  replayToWebhookEndpointRoute,
  rollWebhookSecretRoute,
  testWebhookEndpointRoute,
} from './webhooks/endpoints.ts'

/** Keys, webhooks and the Sandbox. */
export const developerRoutes: readonly Route[] = [
  listApiKeysRoute,
  listKeyRequestsRoute,
  createApiKeyRoute,
  changeApiKeyRoute,
  rollApiKeyRoute,
  revokeApiKeyRoute,
  listWebhookEventTypesRoute,
  listWebhookEndpointsRoute,
  createWebhookEndpointRoute,
  getWebhookEndpointRoute,
  changeWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rollWebhookSecretRoute,
  testWebhookEndpointRoute,
  replayToWebhookEndpointRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  resendDeliveryRoute,
  resendDeliveriesRoute,
  retryDeliveryRoute,
  paySandboxChargeRoute,
  expireSandboxChargeRoute,
  receiveSandboxPixRoute,
  receiveUnmatchedSandboxPixRoute,
  compareSandboxDayRoute,
  openSandboxMedRoute,
  closeSandboxMedRoute,
  resolveSandboxMandateRoute,
  chargeSandboxMandateRoute,
  resolveSandboxMedContestRoute,
  paySandboxBoletoRoute,
  expireSandboxBoletoRoute,
  paySandboxCryptoChargeRoute,
  confirmSandboxCryptoChargeRoute,
  dropSandboxCryptoChargeRoute,
  setSandboxCryptoRateRoute,
  resolveSandboxConversionRoute,
  resolveSandboxCryptoWithdrawalRoute,
  resolveSandboxCardPaymentRoute,
  openSandboxChargebackRoute,
  resolveSandboxChargebackRoute,
  resolveSandboxRefundRoute,
  settleSandboxTransactionRoute,
  seedSandboxTransactionRoute,
  approveSandboxTransferRoute,
  resolveSandboxTransferRoute,
  returnSandboxTransferRoute,
  getSandboxClockRoute,
  advanceSandboxClockRoute,
  resetSandboxClockRoute,
  sendSandboxEventRoute,
  resetSandboxRoute,
]
