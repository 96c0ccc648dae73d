import type { Deciders } from '../kernel/decider.ts'
import { approveMoneyOut, cancelMoneyOut, expireMoneyOut, rejectMoneyOut, stopMoneyOutOf } from './approve.ts'
import type { MoneyOutCommand } from './commands.ts'
import { createTransfer, createWithdrawal } from './create.ts'
import { lookUpKey, recordKeyOwner } from './lookups/lookup-deciders.ts'
import {
  editBeneficiary,
  registerBeneficiary,
  removeBeneficiary,
  stopTrustOf,
} from './payees/beneficiary-deciders.ts'
import { registerWallet, removeWallet } from './payees/wallet-deciders.ts'
import { reportPayOut, returnMoneyOut } from './report.ts'
import { askAgainForMoneyOut, recordMoneyOut, resolveMoneyOut, runMoneyOut } from './run.ts'

/** Deciders for key look-ups, payees, transfers and withdrawals. */
export const moneyOutDeciders: Deciders<MoneyOutCommand> = {
  LookUpKey: lookUpKey,
  RecordKeyOwner: recordKeyOwner,
  RegisterBeneficiary: registerBeneficiary,
  ChangeBeneficiary: editBeneficiary,
  RemoveBeneficiary: removeBeneficiary,
  StopTrustOf: stopTrustOf,
  RegisterWallet: registerWallet,
  RemoveWallet: removeWallet,
  CreateTransfer: createTransfer,
  CreateWithdrawal: createWithdrawal,
  ApproveMoneyOut: approveMoneyOut,
  RejectMoneyOut: rejectMoneyOut,
  CancelMoneyOut: cancelMoneyOut,
  StopMoneyOutOf: stopMoneyOutOf,
  ExpireMoneyOut: expireMoneyOut,
  RunMoneyOut: runMoneyOut,
  AskAgainForMoneyOut: askAgainForMoneyOut,
  RecordMoneyOut: recordMoneyOut,
  ResolveMoneyOut: resolveMoneyOut,
  ReportPayOut: reportPayOut,
  ReturnMoneyOut: returnMoneyOut,
}
