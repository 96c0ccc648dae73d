// Routes of money that leaves: transfers and withdrawals, their payees and wallets, approvals and limits.
// Transfers and withdrawals are made by `money-out-routes.ts`, which holds what they share.
import type { Route } from '../../api/route.ts'
import {
  approveControlChangeRoute,
  getApprovalPolicyRoute,
  getLimitsRoute,
  listControlChangesRoute,
  rejectControlChangeRoute,
  setApprovalPolicyRoute,
  setLimitsRoute,
} from './approval-and-limits.ts'
import {
  changeBeneficiaryRoute,
  createBeneficiaryRoute,
  deleteBeneficiaryRoute,
  getBeneficiaryRoute,
  listBeneficiariesRoute,
} from './beneficiaries.ts'
import { getPixLookupQuotaRoute, lookUpPixKeyRoute } from './pix-lookups.ts'
import { transfers } from './transfers.ts'
import { createWalletRoute, getWalletRoute, listWalletsRoute, removeWalletRoute } from './wallets.ts'
import { withdrawals } from './withdrawals.ts'

/** Wallets, and withdrawals of stablecoins to them. */
export const withdrawalRoutes: readonly Route[] = [
  createWalletRoute,
  listWalletsRoute,
  getWalletRoute,
  removeWalletRoute,
  ...Object.values(withdrawals),
]

/** Payees, and transfers to them. */
export const transferRoutes: readonly Route[] = [
  lookUpPixKeyRoute,
  getPixLookupQuotaRoute,
  createBeneficiaryRoute,
  listBeneficiariesRoute,
  getBeneficiaryRoute,
  changeBeneficiaryRoute,
  deleteBeneficiaryRoute,
  ...Object.values(transfers),
]

/** Approvals and limits of money out. */
export const controlRoutes: readonly Route[] = [
  getApprovalPolicyRoute,
  setApprovalPolicyRoute,
  getLimitsRoute,
  setLimitsRoute,
  listControlChangesRoute,
  approveControlChangeRoute,
  rejectControlChangeRoute,
]
