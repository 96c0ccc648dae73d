import type { Route } from '../../api/route.ts'
import {
  changeBeneficiary,
  createBeneficiary,
  deleteBeneficiary,
  getBeneficiary,
  listBeneficiaries,
} from './beneficiaries.ts'
import {
  approveControlChange,
  getApprovalPolicy,
  getLimits,
  listControlChanges,
  rejectControlChange,
  setApprovalPolicy,
  setLimits,
} from './controls.ts'
import { getPixLookupQuota, lookUpPixKey } from './pix-lookups.ts'
import { getTransferReceipt } from './transfer-receipt.ts'
import {
  approveTransfer,
  cancelTransfer,
  createTransfer,
  exportTransfers,
  getTransfer,
  listTransfers,
  previewTransfer,
  rejectTransfer,
} from './transfers.ts'
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
} from './withdrawals.ts'

/** Withdrawals in stablecoins. */
export const withdrawalRoutes: readonly Route[] = [
  previewCryptoWithdrawal,
  createCryptoWithdrawal,
  listCryptoWithdrawals,
  exportCryptoWithdrawals,
  getCryptoWithdrawal,
  approveCryptoWithdrawal,
  rejectCryptoWithdrawal,
  cancelCryptoWithdrawal,
  getCryptoWithdrawalReceipt,
]

/** Payees, and transfers to them. */
export const transferRoutes: readonly Route[] = [
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
]

/** Approvals and limits of money out. */
export const controlRoutes: readonly Route[] = [
  getApprovalPolicy,
  setApprovalPolicy,
  getLimits,
  setLimits,
  listControlChanges,
  approveControlChange,
  rejectControlChange,
]
