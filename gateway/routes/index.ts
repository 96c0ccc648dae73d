import type { Route } from '../http/route.ts'
import { cancelPixCharge } from './pix/cancel-charge.ts'
import { createPixCharge } from './pix/create-charge.ts'
import { createPixDeposit } from './pix/create-deposit.ts'
import { getPixCharge, getPixDeposit, listPixCharges, listPixDeposits } from './pix/read-charges.ts'
import { listPixKeys } from './pix/read-keys.ts'
import { getPixOverview } from './pix/read-overview.ts'
import { listReceivedPix } from './pix/read-received.ts'
import { advanceSandboxClock, getSandboxClock, resetSandboxClock } from './sandbox/clock.ts'
import { expireSandboxCharge } from './sandbox/expire-charge.ts'
import { paySandboxCharge, receiveSandboxPix } from './sandbox/pay-charge.ts'
import { resetSandbox, sendSandboxEvent } from './sandbox/send-event.ts'
import { cancelTransaction } from './transactions/cancel-transaction.ts'
import { getTransaction } from './transactions/read-transaction.ts'

/** Every operation of the API. */
export const routes: readonly Route[] = [
  createPixCharge,
  listPixCharges,
  getPixCharge,
  cancelPixCharge,
  createPixDeposit,
  listPixDeposits,
  getPixDeposit,
  listReceivedPix,
  getPixOverview,
  listPixKeys,
  getTransaction,
  cancelTransaction,
  paySandboxCharge,
  expireSandboxCharge,
  receiveSandboxPix,
  getSandboxClock,
  advanceSandboxClock,
  resetSandboxClock,
  sendSandboxEvent,
  resetSandbox,
]
