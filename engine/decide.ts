import { countRecurring } from './billing/catalog/count.ts'
import { decideCatalog } from './billing/catalog/decide-catalog.ts'
import { decideSubscription } from './billing/subscription/decide.ts'
import { registerCustomer } from './customers/link.ts'
import { contextId } from './kernel/context.ts'
import type { Decision } from './kernel/decision.ts'
import type { Draft } from './kernel/draft.ts'
import type { Command, Event, Rejection } from './kernel/registry.ts'
import type { Account, PixKey } from './ledger/account.ts'
import { advanceClock } from './ledger/clock.ts'
import type { OpenAccount } from './ledger/commands.ts'
import { settleDay } from './ledger/settle-day.ts'
import type { TransactionCommand } from './payments/transaction/commands.ts'
import { createTransaction } from './payments/transaction/create.ts'
import type { Transaction } from './payments/transaction/transaction.ts'
import { writeTransaction } from './payments/transaction/write.ts'
import { changeTransfer } from './payouts/payouts.ts'
import { changeRegister } from './recipients/register.ts'
import { seedTransaction } from './sandbox/seed.ts'
import { unreachable } from './shared/assert.ts'
import type { Entropy } from './shared/ids.ts'
import {
  cancelDelivery,
  recordAttempt,
  replayEvents,
  resendDelivery,
  scheduleDeliveries,
} from './webhooks/decide.ts'

/** Decides a command: adds its facts to the draft, or answers why the business says no. */
export const decide = (command: Command, draft: Draft, account: Account | undefined): Rejection | null => {
  const rejection = decideAlone(command, draft, account)
  if (rejection === null) countRecurring(draft)
  return rejection
}

const decideAlone = (command: Command, draft: Draft, account: Account | undefined): Rejection | null => {
  if (command.type === 'OpenAccount') return openAccount(account, command, draft)
  if (account === undefined) return { reason: 'ACCOUNT_ABSENT' }
  const { context } = draft
  const fact = { actor: 'account', id: account.id, atMs: context.nowMs } as const
  switch (command.type) {
    case 'RegisterCustomer':
      draft.add(registerCustomer(command, account, context))
      return null
    case 'CreateCharge':
      return createTransaction(command, draft)
    case 'SeedTransaction':
      return seedTransaction(command, draft)
    case 'ReceivePix':
    case 'ReceiveUnrequestedPix':
    case 'CancelCharge':
    case 'ExpireCharge':
    case 'PayBoleto':
    case 'PayBoletoByPix':
    case 'ClearBoleto':
    case 'MarkOverdue':
    case 'CaptureCharge':
    case 'CancelCardPayment':
    case 'RecordAnswer':
    case 'CallAgain':
    case 'GiveUpAuthorization':
    case 'ResolveAuthorization':
    case 'RequestRefund':
    case 'ResolveRefund':
    case 'OpenChargeback':
    case 'DisputeChargeback':
    case 'ResolveChargeback':
    case 'OpenMed':
    case 'CloseMed':
    case 'SettleTransaction':
      return writeTransaction(draft, transactionOf(command, draft), command)
    case 'SettleDay':
      return addAll(draft, settleDay(account, command, context.nowMs))
    case 'AdvanceClock':
      return addAll(draft, advanceClock(account, command, context))
    case 'ResetClock':
      draft.add({ ...fact, type: 'ClockMoved', clockOffsetMs: 0, atMs: context.atMs })
      return null
    case 'RequestSampleEvent':
      draft.add({ ...fact, type: 'SampleEventRequested', eventType: command.eventType })
      return null
    case 'ClearSandbox':
      draft.add({ ...fact, type: 'SandboxCleared' })
      return null
    case 'ScheduleDeliveries':
      return addAll(
        draft,
        scheduleDeliveries(command, (id) => draft.find('delivery', id), context),
      )
    case 'RecordAttempt':
      return addAll(draft, recordAttempt(draft.find('delivery', command.deliveryId), command))
    case 'CancelDelivery':
      return addAll(draft, cancelDelivery(draft.find('delivery', command.deliveryId), command))
    case 'ResendDelivery':
      return addAll(
        draft,
        resendDelivery(
          draft.find('delivery', command.deliveryId),
          command,
          ({ objectId }) => draft.lookup('delivery', objectId),
          context,
        ),
      )
    case 'ReplayEvents':
      return addAll(
        draft,
        replayEvents(command, (objectId) => draft.lookup('delivery', objectId), context),
      )
    case 'CreatePlan':
    case 'EditPlan':
    case 'RemovePlan':
    case 'CreateCoupon':
    case 'EditCoupon':
    case 'RemoveCoupon':
    case 'SetDunningPolicy':
    case 'RemoveDunningPolicy':
      return decideCatalog(command, draft)
    case 'CreateRecipient':
    case 'ChangeRecipient':
    case 'RemoveRecipient':
    case 'CreateSplitRule':
    case 'ChangeSplitRule':
    case 'RemoveSplitRule':
      return changeRegister(draft, command)
    case 'FundTransfer':
    case 'SendTransfer':
    case 'CallBankAgain':
    case 'RecordPayout':
      return changeTransfer(draft, command)
    case 'CreateSubscription':
    case 'BillSubscription':
    case 'PauseSubscription':
    case 'ResumeSubscription':
    case 'CancelSubscription':
    case 'ChangePlan':
    case 'DunInvoice':
    case 'RetryInvoice':
      return decideSubscription(command, draft)
    default:
      return unreachable(command)
  }
}

const transactionOf = (command: TransactionCommand, draft: Draft): Transaction | undefined =>
  'partId' in command ? draft.ownerOf(command.partId) : draft.find('transaction', command.transactionId)

const addAll = (draft: Draft, decision: Decision<Event>): Rejection | null => {
  if (!decision.accepted) return decision.rejection
  draft.add(...decision.events)
  return null
}

const openAccount = (account: Account | undefined, command: OpenAccount, { add, context }: Draft): null => {
  const { accountId: id, profile } = command
  if (account !== undefined) {
    if (profile.revision > account.profile.revision)
      add({ actor: 'account', type: 'ProfileChanged', id, atMs: context.nowMs, profile })
    return null
  }
  const pixKey: PixKey = {
    id: contextId(context, 'pxk'),
    type: 'EVP',
    key: randomUuid(context.entropy),
    createdAtMs: context.atMs,
  }
  add({ actor: 'account', type: 'AccountOpened', id, atMs: context.atMs, profile, pixKey })
  return null
}

/** A version 4 UUID in lower case (RFC 9562, section 5.4), as random PIX keys are. */
const randomUuid = (entropy: Entropy): string => {
  const hex = Array.from({ length: 4 }, () => entropy().toString(16).padStart(8, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
