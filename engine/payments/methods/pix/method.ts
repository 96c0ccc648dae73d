import { onExisting } from '../../transaction/charge-context.ts'
import type { PaymentMethod } from '../method.ts'
import { timeOutRegistration } from './bank/register.ts'
import { reportMed } from './bank/report-med.ts'
import { reportReturn } from './bank/report-return.ts'
import { repeatReturn } from './bank/returns.ts'
import { pixBookings } from './bookings.ts'
import type { PixCommand } from './commands.ts'
import { createPix, receivePix, receivePixAtBank, receiveUnrequestedPix } from './decide.ts'
import { pixTimers } from './due-work.ts'
import { pixEvolvers } from './evolve.ts'
import type { PixFact } from './facts.ts'
import { pixFeeTerms } from './fee.ts'
import { closeMed, contestMed, defendMed, openMed, resolveMedContest } from './med.ts'
import type { Pix } from './pix.ts'
import { pixEvents } from './publishes.ts'
import { pixRefunds } from './refunds.ts'
import { seedPix } from './seed.ts'
import { pixStepNames } from './step-names.ts'
import type { PixTerms } from './terms.ts'

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly PIX: {
      readonly means: { readonly pix: Pix }
      readonly terms: PixTerms
      readonly commands: PixCommand
      readonly facts: PixFact
      readonly rail: 'PIX'
      readonly family: 'PIX_CHARGE' | 'PIX_DEPOSIT'
    }
  }
}

export const pixMethod: PaymentMethod<'PIX'> = {
  rail: 'PIX',
  names: { en: 'PIX', pt: 'PIX' },
  stepNames: pixStepNames,
  familyOf: (origin) => (origin === 'DEPOSIT' ? 'PIX_DEPOSIT' : 'PIX_CHARGE'),
  feeTerms: (fees, { origin }) => pixFeeTerms(fees, origin),
  create: createPix,
  deciders: {
    ReceivePix: receivePix,
    ReceivePixAtBank: onExisting(receivePixAtBank),
    ReceiveUnrequestedPix: (_, command, chargeContext) => receiveUnrequestedPix(command, chargeContext),
    TimeOutRegistration: onExisting(timeOutRegistration),
    RepeatReturn: onExisting(repeatReturn),
    ReportReturn: onExisting(reportReturn),
    ReportMed: onExisting(reportMed),
    OpenMed: openMed,
    DefendMed: defendMed,
    CloseMed: closeMed,
    ContestMed: contestMed,
    ResolveMedContest: resolveMedContest,
  },
  evolvers: pixEvolvers,
  publishes: pixEvents,
  bookings: pixBookings,
  dueWork: pixTimers,
  keys: ({ pix }) => [pix.txid, pix.payment?.endToEndId ?? null],
  reference: ({ pix }) => pix.txid,
  // A charge that is not registered yet has no txid either, but how long it can be paid.
  fiscalMeans: ({ pix: { txid, payment, type, expiresInSeconds } }) =>
    txid === null && type === 'IMMEDIATE' && expiresInSeconds === null
      ? { by: 'PIX_TO_KEY', key: payment?.endToEndId ?? null }
      : { by: 'PIX_BY_CHARGE', key: txid },
  refunds: pixRefunds,
  seed: seedPix,
}
