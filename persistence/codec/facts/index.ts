import type { ActorKind } from '../../../engine/kernel/registry.ts'
import { accountFacts } from './account.ts'
import { auditFacts } from './audit.ts'
import { batchFacts } from './batch.ts'
import { beneficiaryFacts } from './beneficiary.ts'
import { cardRetryFacts } from './card-retries.ts'
import { controlChangeFacts } from './control-change.ts'
import { conversionFacts, conversionQuoteFacts } from './conversion.ts'
import { couponFacts } from './coupon.ts'
import { cryptoDepositFacts } from './crypto-deposit.ts'
import { customerFacts } from './customer.ts'
import { deliveryFacts } from './delivery.ts'
import type { FactLayouts } from './fact-layouts.ts'
import { invoiceFacts } from './invoice.ts'
import { keyLookupFacts } from './key-lookup.ts'
import { noticeFacts } from './notice.ts'
import { outgoingTransferFacts } from './outgoing-transfer.ts'
import { planFacts } from './plan.ts'
import { receivedFacts } from './received.ts'
import { recipientFacts } from './recipient.ts'
import { splitRuleFacts } from './split-rule.ts'
import { splitTransferFacts } from './split-transfer.ts'
import { statementLineFacts } from './statement-line.ts'
import { subscriberFacts } from './subscriber.ts'
import { subscriptionFacts } from './subscription.ts'
import { ticketFacts } from './ticket.ts'
import { transactionFacts } from './transaction.ts'
import { viewFacts } from './view.ts'
import { walletFacts } from './wallet.ts'
import { withdrawalFacts } from './withdrawal.ts'

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
  cryptoWithdrawal: [35, withdrawalFacts],
  outgoingTransfer: [21, outgoingTransferFacts],
  beneficiary: [22, beneficiaryFacts],
  keyLookup: [23, keyLookupFacts],
  statementLine: [24, statementLineFacts],
} satisfies { readonly [Kind in ActorKind]: readonly [tag: number, FactLayouts<Kind>] }
