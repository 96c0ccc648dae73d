import type { Route } from '../api/route.ts'
import { exportAuditEntries, listAuditEntries, verifyAuditLog } from './account/audit.ts'
import { exportStatement, getBalance, getStatement } from './account/balance.ts'
import { changeCompany, getCompany, setCompanyLogo } from './account/company.ts'
import { listenLive } from './account/listen.ts'
import { getNoticePreferences, listNotices, readNotices, setNoticePreferences } from './account/notices.ts'
import { getOverview } from './account/read-overview.ts'
import { search } from './account/search.ts'
import { answerTicket, closeTicket, createTicket, getTicket, listTickets } from './account/tickets.ts'
import { listViews, removeView, saveView } from './account/views.ts'
import { createCoupon, editCoupon, listCoupons, removeCoupon } from './billing/coupons.ts'
import { getDunning, removeDunningPolicy, setDunningPolicy } from './billing/dunning.ts'
import { getInvoice, listInvoices, retryInvoice } from './billing/invoices.ts'
import { createPlan, editPlan, getPlan, listPlans, removePlan } from './billing/plans.ts'
import { getRecurringOverview, listSubscribers } from './billing/recurring.ts'
import { changePlan } from './billing/subscriptions/change-plan.ts'
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from './billing/subscriptions/change-subscription.ts'
import { createSubscription } from './billing/subscriptions/create-subscription.ts'
import { getSubscription, listSubscriptions } from './billing/subscriptions/read-subscriptions.ts'
import { validateCoupon } from './billing/validate-coupon.ts'
import {
  cancelCryptoCharge,
  createCryptoCharge,
  getCryptoCharge,
  listCryptoCharges,
} from './crypto/charges.ts'
import { createConversion, getConversion, listConversions, quoteConversion } from './crypto/conversions.ts'
import { listCryptoDeposits, resolveCryptoDeposit } from './crypto/deposits.ts'
import { createWallet, getWallet, listWallets, removeWallet } from './crypto/wallets.ts'
import { changeApiKey, createApiKey, listApiKeys, revokeApiKey, rollApiKey } from './developers/keys.ts'
import { expireSandboxBoleto, paySandboxBoleto } from './developers/sandbox/boletos.ts'
import {
  openSandboxChargeback,
  resolveSandboxCardPayment,
  resolveSandboxChargeback,
} from './developers/sandbox/cards.ts'
import { advanceSandboxClock, getSandboxClock, resetSandboxClock } from './developers/sandbox/clock.ts'
import {
  confirmSandboxCryptoCharge,
  dropSandboxCryptoCharge,
  paySandboxCryptoCharge,
  resolveSandboxConversion,
  resolveSandboxCryptoWithdrawal,
  setSandboxCryptoRate,
} from './developers/sandbox/crypto.ts'
import { expireSandboxCharge } from './developers/sandbox/expire-charge.ts'
import { closeSandboxMed, openSandboxMed, resolveSandboxMedContest } from './developers/sandbox/meds.ts'
import { paySandboxCharge, receiveSandboxPix } from './developers/sandbox/pay-charge.ts'
import { resetSandbox, sendSandboxEvent } from './developers/sandbox/send-event.ts'
import {
  resolveSandboxRefund,
  seedSandboxTransaction,
  settleSandboxTransaction,
} from './developers/sandbox/transactions.ts'
import { approveSandboxTransfer, resolveSandboxTransfer } from './developers/sandbox/transfers.ts'
import {
  getDelivery,
  listDeliveries,
  resendDeliveries,
  resendDelivery,
} from './developers/webhooks/deliveries.ts'
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
} from './developers/webhooks/endpoints.ts'
import {
  changeRecipient,
  createRecipient,
  deleteRecipient,
  getRecipient,
  listRecipients,
} from './marketplace/recipients.ts'
import {
  changeSplitRule,
  createSplitRule,
  deleteSplitRule,
  getSplitRule,
  listSplitRules,
} from './marketplace/rules.ts'
import { simulateSplit } from './marketplace/simulate.ts'
import { listSplitTransfers } from './marketplace/transfers.ts'
import {
  changeBeneficiary,
  createBeneficiary,
  deleteBeneficiary,
  getBeneficiary,
  listBeneficiaries,
} from './money-out/beneficiaries.ts'
import {
  approveControlChange,
  getApprovalPolicy,
  getLimits,
  listControlChanges,
  rejectControlChange,
  setApprovalPolicy,
  setLimits,
} from './money-out/controls.ts'
import { getPixLookupQuota, lookUpPixKey } from './money-out/pix-lookups.ts'
import { getTransferReceipt } from './money-out/transfer-receipt.ts'
import {
  approveTransfer,
  cancelTransfer,
  createTransfer,
  exportTransfers,
  getTransfer,
  listTransfers,
  previewTransfer,
  rejectTransfer,
} from './money-out/transfers.ts'
import {
  approveCryptoWithdrawal,
  cancelCryptoWithdrawal,
  createCryptoWithdrawal,
  exportCryptoWithdrawals,
  getCryptoWithdrawal,
  getCryptoWithdrawalReceipt,
  listCryptoWithdrawals,
  previewCryptoWithdrawal,
  rejectCryptoWithdrawal,
} from './money-out/withdrawals.ts'
import { cancelBoleto } from './payments/boletos/cancel-boleto.ts'
import { createBoleto } from './payments/boletos/create-boleto.ts'
import { getBoletoPdf } from './payments/boletos/get-boleto-pdf.ts'
import { getBoleto, getBoletoQrCode, listBoletos } from './payments/boletos/read-boletos.ts'
import { cancelCardPayment, captureCardPayment } from './payments/cards/change-payment.ts'
import { disputeChargeback, listChargebacks } from './payments/cards/chargebacks.ts'
import { createCardPayment } from './payments/cards/create-payment.ts'
import { getCardFees } from './payments/cards/read-fees.ts'
import { getCardPayment, listCardTransactions } from './payments/cards/read-payments.ts'
import { createCustomer, getCustomer, listCustomers } from './payments/customers.ts'
import { cancelPixCharge } from './payments/pix/cancel-charge.ts'
import { createPixCharge } from './payments/pix/create-charge.ts'
import { createPixDeposit } from './payments/pix/create-deposit.ts'
import { contestMed, defendMed, listMeds } from './payments/pix/meds.ts'
import {
  getPixCharge,
  getPixChargeQrCode,
  getPixDeposit,
  getPixDepositQrCode,
  listPixCharges,
  listPixDeposits,
} from './payments/pix/read-charges.ts'
import { listPixKeys } from './payments/pix/read-keys.ts'
import { getPixOverview } from './payments/pix/read-overview.ts'
import { listReceivedPix } from './payments/pix/read-received.ts'
import { cancelTransaction } from './payments/transactions/cancel-transaction.ts'
import { exportTransactions } from './payments/transactions/export-transactions.ts'
import { listTransactions } from './payments/transactions/list-transactions.ts'
import { getTransactionFacets } from './payments/transactions/read-facets.ts'
import { getTransaction } from './payments/transactions/read-transaction.ts'
import { refundTransaction } from './payments/transactions/refund-transaction.ts'
import {
  addPasskey,
  changeMe,
  changeMyPassword,
  confirmEmail,
  confirmTotp,
  getMe,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from './people/me.ts'
import {
  endMyOtherSessions,
  endMySession,
  forgotPassword,
  getChallenge,
  getSession,
  giveSecondFactor,
  listMySessions,
  resetPassword,
  signIn,
  signInWithPasskey,
  signOut,
  startPasskeySignIn,
  stepUp,
} from './people/session.ts'
import {
  acceptInvitation,
  approveRoleChange,
  changeMember,
  endMemberSessions,
  getTeam,
  inviteMember,
  readInvitation,
  rejectRoleChange,
  removeMember,
  resendInvitation,
  resetMemberFactor,
  revokeInvitation,
} from './people/team.ts'

/** Every operation of the API. */
export const routes: readonly Route[] = [
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
  createWallet,
  listWallets,
  getWallet,
  removeWallet,
  previewCryptoWithdrawal,
  createCryptoWithdrawal,
  listCryptoWithdrawals,
  exportCryptoWithdrawals,
  getCryptoWithdrawal,
  approveCryptoWithdrawal,
  rejectCryptoWithdrawal,
  cancelCryptoWithdrawal,
  getCryptoWithdrawalReceipt,
  listTransactions,
  getTransactionFacets,
  exportTransactions,
  getTransaction,
  refundTransaction,
  cancelTransaction,
  createCustomer,
  listCustomers,
  getCustomer,
  createPlan,
  listPlans,
  getPlan,
  editPlan,
  removePlan,
  createCoupon,
  listCoupons,
  validateCoupon,
  editCoupon,
  removeCoupon,
  getDunning,
  setDunningPolicy,
  removeDunningPolicy,
  listRecipients,
  createRecipient,
  getRecipient,
  changeRecipient,
  deleteRecipient,
  listSplitRules,
  createSplitRule,
  getSplitRule,
  changeSplitRule,
  deleteSplitRule,
  simulateSplit,
  listSplitTransfers,
  getRecurringOverview,
  listSubscribers,
  createSubscription,
  listSubscriptions,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
  cancelSubscription,
  changePlan,
  listInvoices,
  getInvoice,
  retryInvoice,
  getBalance,
  getStatement,
  exportStatement,
  lookUpPixKey,
  getPixLookupQuota,
  createBeneficiary,
  listBeneficiaries,
  getBeneficiary,
  changeBeneficiary,
  deleteBeneficiary,
  previewTransfer,
  createTransfer,
  listTransfers,
  exportTransfers,
  getTransfer,
  approveTransfer,
  rejectTransfer,
  cancelTransfer,
  getTransferReceipt,
  getCompany,
  changeCompany,
  setCompanyLogo,
  getApprovalPolicy,
  setApprovalPolicy,
  getLimits,
  setLimits,
  listControlChanges,
  approveControlChange,
  rejectControlChange,
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
  signIn,
  giveSecondFactor,
  startPasskeySignIn,
  signInWithPasskey,
  getSession,
  signOut,
  stepUp,
  getChallenge,
  forgotPassword,
  resetPassword,
  listMySessions,
  endMySession,
  endMyOtherSessions,
  getMe,
  changeMe,
  confirmEmail,
  changeMyPassword,
  startTotp,
  confirmTotp,
  renewRecoveryCodes,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  getTeam,
  inviteMember,
  resendInvitation,
  revokeInvitation,
  changeMember,
  removeMember,
  approveRoleChange,
  rejectRoleChange,
  resetMemberFactor,
  endMemberSessions,
  readInvitation,
  acceptInvitation,
  listAuditEntries,
  exportAuditEntries,
  verifyAuditLog,
  createTicket,
  listTickets,
  getTicket,
  answerTicket,
  closeTicket,
  listNotices,
  readNotices,
  getNoticePreferences,
  setNoticePreferences,
  listViews,
  saveView,
  removeView,
  listenLive,
  search,
  getOverview,
]
