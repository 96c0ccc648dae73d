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
import { transfers } from './transfers.ts'
import { createWallet, getWallet, listWallets, removeWallet } from './wallets.ts'
import { withdrawals } from './withdrawals.ts'

/** Wallets, and withdrawals of stablecoins to them. */
export const withdrawalRoutes: readonly Route[] = [
  createWallet,
  listWallets,
  getWallet,
  removeWallet,
  ...Object.values(withdrawals),
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
  ...Object.values(transfers),
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
