/** Pages where payers pay: sessions of one payer, and links that many pay at. */
import './card-guard.ts'
import './commands.ts'
import './link.ts'
import './publishes.ts'
import './queries.ts'
import './refusals.ts'
import './session.ts'
import type { Deciders } from '../kernel/decider.ts'
import { checkoutAnswers } from './answers.ts'
import type { CheckoutCommand } from './commands.ts'
import { cardGuardKind, checkoutSessionKind, paymentLinkKind } from './kinds.ts'
import { createLink, editLink, payLink } from './links.ts'
import { leaveTry, paySession } from './pay.ts'
import {
  discountSession,
  expireSession,
  lapseSession,
  openCheckoutSession,
  prolongSession,
} from './sessions.ts'

const checkoutDeciders: Deciders<CheckoutCommand> = {
  OpenSession: openCheckoutSession,
  PaySession: paySession,
  LeaveTry: leaveTry,
  DiscountSession: discountSession,
  ExpireSession: expireSession,
  LapseSession: lapseSession,
  ProlongSession: prolongSession,
  CreateLink: createLink,
  EditLink: editLink,
  PayLink: payLink,
}

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const checkoutModule = {
  kinds: {
    cardGuard: cardGuardKind,
    checkoutSession: checkoutSessionKind,
    paymentLink: paymentLinkKind,
  },
  deciders: checkoutDeciders,
  answers: checkoutAnswers,
}
