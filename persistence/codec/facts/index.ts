/**
 * The layouts of all facts, in a folder for each subject of the engine. Tags are for ever; a field added later
 * gives its version and a default for older bytes (`since`), and a fact added later its version.
 */

import type { ActorKind } from '../../../engine/kernel/registry.ts'
import { accountFacts } from './account/account.ts'
import { auditFacts } from './account/audit.ts'
import { batchFacts } from './account/batch.ts'
import { inboxNoticeFacts, pollFacts } from './account/inbox.ts'
import { noteFacts } from './account/note.ts'
import { noticeFacts } from './account/notice.ts'
import { statementLineFacts } from './account/statement-line.ts'
import { ticketFacts } from './account/ticket.ts'
import { viewFacts } from './account/view.ts'
import { cardRetryFacts } from './billing/card-retries.ts'
import { couponFacts } from './billing/coupon.ts'
import { invoiceFacts } from './billing/invoice.ts'
import { mandateFacts } from './billing/mandate.ts'
import { planFacts } from './billing/plan.ts'
import { subscriberFacts } from './billing/subscriber.ts'
import { subscriptionFacts } from './billing/subscription.ts'
import { cardGuardFacts } from './checkout/card-guard.ts'
import { paymentLinkFacts } from './checkout/link.ts'
import { portalSessionFacts } from './checkout/portal.ts'
import { checkoutSessionFacts } from './checkout/session.ts'
import { conversionFacts, conversionQuoteFacts } from './crypto/conversion.ts'
import { cryptoDepositFacts } from './crypto/crypto-deposit.ts'
import { deliveryFacts } from './developers/delivery.ts'
import type { FactLayouts, OlderFacts } from './fact-layouts.ts'
import { recipientFacts } from './marketplace/recipient.ts'
import { splitRuleFacts } from './marketplace/split-rule.ts'
import { splitTransferFacts } from './marketplace/split-transfer.ts'
import { beneficiaryFacts } from './money-out/beneficiary.ts'
import { controlChangeFacts } from './money-out/control-change.ts'
import { keyLookupFacts } from './money-out/key-lookup.ts'
import { moneyOutFacts } from './money-out/money-out.ts'
import { olderTransferFacts, olderWithdrawalFacts } from './money-out/older-facts.ts'
import { walletFacts } from './money-out/wallet.ts'
import { customerFacts } from './payments/customer.ts'
import { payerMailFacts, unsubscriptionFacts } from './payments/payer-mail.ts'
import { receivedFacts } from './payments/received.ts'
import { reconciliationFacts } from './payments/reconciliation.ts'
import { suspenseFacts } from './payments/suspense.ts'
import { transactionFacts } from './payments/transaction.ts'

/** The tag of each kind of actor, and the layouts of its facts. */
export const factLayouts = {
  account: [1, accountFacts],
  transaction: [2, transactionFacts],
  received: [3, receivedFacts],
  batch: [4, batchFacts],
  delivery: [5, deliveryFacts],
  customer: [6, customerFacts],
  recipient: [7, recipientFacts],
  splitRule: [8, splitRuleFacts],
  splitTransfer: [9, splitTransferFacts],
  plan: [10, planFacts],
  coupon: [11, couponFacts],
  subscription: [12, subscriptionFacts],
  invoice: [13, invoiceFacts],
  subscriber: [14, subscriberFacts],
  cardRetries: [15, cardRetryFacts],
  auditEntry: [16, auditFacts],
  controlChange: [17, controlChangeFacts],
  ticket: [18, ticketFacts],
  notice: [19, noticeFacts],
  view: [20, viewFacts],
  cryptoDeposit: [31, cryptoDepositFacts],
  conversionQuote: [32, conversionQuoteFacts],
  conversion: [33, conversionFacts],
  wallet: [34, walletFacts],
  withdrawal: [35, moneyOutFacts, olderWithdrawalFacts],
  transfer: [21, moneyOutFacts, olderTransferFacts],
  beneficiary: [22, beneficiaryFacts],
  keyLookup: [23, keyLookupFacts],
  statementLine: [24, statementLineFacts],
  checkoutSession: [28, checkoutSessionFacts],
  paymentLink: [29, paymentLinkFacts],
  cardGuard: [30, cardGuardFacts],
  portalSession: [36, portalSessionFacts],
  payerMail: [25, payerMailFacts],
  unsubscription: [26, unsubscriptionFacts],
  note: [27, noteFacts],
  inboxNotice: [37, inboxNoticeFacts],
  poll: [38, pollFacts],
  mandate: [40, mandateFacts],
  suspense: [39, suspenseFacts],
  reconciliation: [41, reconciliationFacts],
} satisfies {
  readonly [Kind in ActorKind]: readonly [tag: number, facts: FactLayouts<Kind>, older?: OlderFacts<Kind>]
}
