import type { PaymentMethod } from '../method.ts'
import { createPix, receivePix, receiveUnrequestedPix } from './decide.ts'
import { pixFee } from './fee.ts'
import { closeMed, medEnds, openMed } from './med.ts'
import { pixRefunds } from './refunds.ts'
import { seedPix } from './seed.ts'
import { pixSteps } from './steps.ts'

export const pix: PaymentMethod<'PIX'> = {
  product: 'PIX',
  familyOf: (origin) => (origin === 'DEPOSIT' ? 'PIX_DEPOSIT' : 'PIX_CHARGE'),
  feeTerms: (fees, { origin }) => pixFee(fees, origin),
  create: createPix,
  deciders: {
    ReceivePix: receivePix,
    ReceiveUnrequestedPix: (_, command, turn) => receiveUnrequestedPix(command, turn),
    OpenMed: openMed,
    CloseMed: closeMed,
  },
  steps: pixSteps,
  dueWork: (transaction) => [medEnds(transaction)],
  keys: ({ pix }) => [pix.txid, pix.payment?.endToEndId ?? null],
  refunds: pixRefunds,
  seed: seedPix,
}
