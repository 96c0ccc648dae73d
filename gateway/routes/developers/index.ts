import type { Route } from '../../api/route.ts'
import { changeApiKey, createApiKey, listApiKeys, revokeApiKey, rollApiKey } from './keys.ts'
import { expireSandboxBoleto, paySandboxBoleto } from './sandbox/boletos.ts'
import {
  openSandboxChargeback,
  resolveSandboxCardPayment,
  resolveSandboxChargeback,
} from './sandbox/cards.ts'
import { advanceSandboxClock, getSandboxClock, resetSandboxClock } from './sandbox/clock.ts'
import {
  confirmSandboxCryptoCharge,
  dropSandboxCryptoCharge,
  paySandboxCryptoCharge,
  resolveSandboxConversion,
  resolveSandboxCryptoWithdrawal,
  setSandboxCryptoRate,
} from './sandbox/crypto.ts'
import { expireSandboxCharge } from './sandbox/expire-charge.ts'
import { closeSandboxMed, openSandboxMed, resolveSandboxMedContest } from './sandbox/meds.ts'
import { paySandboxCharge, receiveSandboxPix } from './sandbox/pay-charge.ts'
import { resetSandbox, sendSandboxEvent } from './sandbox/send-event.ts'
import {
  resolveSandboxRefund,
  seedSandboxTransaction,
  settleSandboxTransaction,
} from './sandbox/transactions.ts'
import { approveSandboxTransfer, resolveSandboxTransfer } from './sandbox/transfers.ts'
import { getDelivery, listDeliveries, resendDeliveries, resendDelivery } from './webhooks/deliveries.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  listWebhookEventTypes,
  replayToWebhookEndpoint,
  rollWebhookSecret,
  testWebhookEndpoint,
} from './webhooks/endpoints.ts'

/** Keys, webhooks and the Sandbox. */
export const developerRoutes: readonly Route[] = [
  listApiKeys,
  createApiKey,
  changeApiKey,
  rollApiKey,
  revokeApiKey,
  listWebhookEventTypes,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rollWebhookSecret,
  testWebhookEndpoint,
  replayToWebhookEndpoint,
  listDeliveries,
  getDelivery,
  resendDelivery,
  resendDeliveries,
  paySandboxCharge,
  expireSandboxCharge,
  receiveSandboxPix,
  openSandboxMed,
  closeSandboxMed,
  resolveSandboxMedContest,
  paySandboxBoleto,
  expireSandboxBoleto,
  paySandboxCryptoCharge,
  confirmSandboxCryptoCharge,
  dropSandboxCryptoCharge,
  setSandboxCryptoRate,
  resolveSandboxConversion,
  resolveSandboxCryptoWithdrawal,
  resolveSandboxCardPayment,
  openSandboxChargeback,
  resolveSandboxChargeback,
  resolveSandboxRefund,
  settleSandboxTransaction,
  seedSandboxTransaction,
  approveSandboxTransfer,
  resolveSandboxTransfer,
  getSandboxClock,
  advanceSandboxClock,
  resetSandboxClock,
  sendSandboxEvent,
  resetSandbox,
]
