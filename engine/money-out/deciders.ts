import type { Deciders } from '../kernel/decider.ts'
import { approveOutgoing, cancelOutgoing, expireOutgoing, rejectOutgoing, stopOutgoingOf } from './approve.ts'
import type { OutgoingCommand } from './commands.ts'
import { createOutgoing } from './create.ts'
import { lookUpKey, recordKeyOwner } from './lookups/lookup-deciders.ts'
import {
  editBeneficiary,
  registerBeneficiary,
  removeBeneficiary,
  stopTrustOf,
} from './payees/beneficiary-deciders.ts'
import { askBankAgain, recordOutgoing, resolveOutgoing, runOutgoing } from './run.ts'

/** Deciders for key look-ups, beneficiaries and transfers. */
export const transferDeciders: Deciders<OutgoingCommand> = {
  LookUpKey: lookUpKey,
  RecordKeyOwner: recordKeyOwner,
  RegisterBeneficiary: registerBeneficiary,
  ChangeBeneficiary: editBeneficiary,
  RemoveBeneficiary: removeBeneficiary,
  CreateTransfer: createOutgoing,
  ApproveTransfer: approveOutgoing,
  RejectTransfer: rejectOutgoing,
  CancelTransfer: cancelOutgoing,
  StopTransfersOf: stopOutgoingOf,
  StopTrustOf: stopTrustOf,
  ExpireTransfer: expireOutgoing,
  RunTransfer: runOutgoing,
  AskBankAgain: askBankAgain,
  RecordTransfer: recordOutgoing,
  ResolveTransfer: resolveOutgoing,
}
