import type { Route } from '../http/route.ts'
import { exportAuditEntries, listAuditEntries, verifyAuditLog } from './audit/audit.ts'
import { exportStatement, getBalance, getStatement } from './balance/balance.ts'
import {
  changeBeneficiary,
  createBeneficiary,
  deleteBeneficiary,
  getBeneficiary,
  listBeneficiaries,
} from './beneficiaries/beneficiaries.ts'
import { cancelBoleto } from './boletos/cancel-boleto.ts'
import { createBoleto } from './boletos/create-boleto.ts'
import { getBoletoPdf } from './boletos/get-boleto-pdf.ts'
import { getBoleto, getBoletoQrCode, listBoletos } from './boletos/read-boletos.ts'
import { cancelCardPayment, captureCardPayment } from './cards/change-payment.ts'
import { disputeChargeback, listChargebacks } from './cards/chargebacks.ts'
import { createCardPayment } from './cards/create-payment.ts'
import { getCardFees } from './cards/read-fees.ts'
import { getCardPayment, listCardTransactions } from './cards/read-payments.ts'
import { changeCompany, getCompany, setCompanyLogo } from './company/company.ts'
import {
  approveControlChange,
  getApprovalPolicy,
  getLimits,
  listControlChanges,
  rejectControlChange,
  setApprovalPolicy,
  setLimits,
} from './company/controls.ts'
import {
  createConversion,
  getConversion,
  listConversions,
  quoteConversion,
} from './conversions/conversions.ts'
import { createCoupon, editCoupon, listCoupons, removeCoupon } from './coupons/coupons.ts'
import { validateCoupon } from './coupons/validate-coupon.ts'
import {
  cancelCryptoCharge,
  createCryptoCharge,
  getCryptoCharge,
  listCryptoCharges,
} from './crypto/charges.ts'
import { listCryptoDeposits, resolveCryptoDeposit } from './crypto/deposits.ts'
import { createWallet, getWallet, listWallets, removeWallet } from './crypto/wallets.ts'
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
} from './crypto/withdrawals.ts'
import { createCustomer, getCustomer, listCustomers } from './customers/customers.ts'
import { getDunning, removeDunningPolicy, setDunningPolicy } from './dunning/dunning.ts'
import { getInvoice, listInvoices, retryInvoice } from './invoices/invoices.ts'
import { changeApiKey, createApiKey, listApiKeys, revokeApiKey, rollApiKey } from './keys/keys.ts'
import { listenLive } from './live/listen.ts'
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
} from './me/me.ts'
import { getNoticePreferences, listNotices, readNotices, setNoticePreferences } from './notices/notices.ts'
import { getOverview } from './overview/read-overview.ts'
import { search } from './overview/search.ts'
import { cancelPixCharge } from './pix/cancel-charge.ts'
import { createPixCharge } from './pix/create-charge.ts'
import { createPixDeposit } from './pix/create-deposit.ts'
import { getPixLookupQuota, lookUpPixKey } from './pix/lookups.ts'
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
import { createPlan, editPlan, getPlan, listPlans, removePlan } from './plans/plans.ts'
import { getRecurringOverview, listSubscribers } from './recurring/recurring.ts'
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
} from './session/session.ts'
import {
  changeRecipient,
  createRecipient,
  deleteRecipient,
  getRecipient,
  listRecipients,
} from './split/recipients.ts'
import {
  changeSplitRule,
  createSplitRule,
  deleteSplitRule,
  getSplitRule,
  listSplitRules,
} from './split/rules.ts'
import { simulateSplit } from './split/simulate.ts'
import { listSplitTransfers } from './split/transfers.ts'
import { changePlan } from './subscriptions/change-plan.ts'
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from './subscriptions/change-subscription.ts'
import { createSubscription } from './subscriptions/create-subscription.ts'
import { getSubscription, listSubscriptions } from './subscriptions/read-subscriptions.ts'
import { answerTicket, closeTicket, createTicket, getTicket, listTickets } from './support/tickets.ts'
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
} from './team/team.ts'
import { cancelTransaction } from './transactions/cancel-transaction.ts'
import { exportTransactions } from './transactions/export-transactions.ts'
import { listTransactions } from './transactions/list-transactions.ts'
import { getTransactionFacets } from './transactions/read-facets.ts'
import { getTransaction } from './transactions/read-transaction.ts'
import { refundTransaction } from './transactions/refund-transaction.ts'
import { getTransferReceipt } from './transfers/receipt.ts'
import {
  approveTransfer,
  cancelTransfer,
  createTransfer,
  exportTransfers,
  getTransfer,
  listTransfers,
  previewTransfer,
  rejectTransfer,
} from './transfers/transfers.ts'
import { listViews, removeView, saveView } from './views/views.ts'
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
