import type { StepNames } from '../step-names.ts'
import type { PixFact } from './facts.ts'

export const pixStepNames: StepNames<PixFact> = {
  ChargeIssued: { en: 'Ready to be paid', pt: 'Pronta para pagar' },
  ChargePaid: { en: 'Payment received', pt: 'Pagamento recebido' },
  PaymentReturned: { en: 'Payment returned', pt: 'Pagamento devolvido' },
  MedOpened: { en: 'MED opened', pt: 'MED aberto' },
  MedBlocked: { en: 'Blocked for the MED', pt: 'Bloqueio para o MED' },
  MedDefended: { en: 'MED answered', pt: 'Defesa do MED enviada' },
  MedContested: { en: 'MED contested', pt: 'Devolução do MED contestada' },
  MedContestWon: { en: 'Contest of the MED won', pt: 'Contestação do MED ganha' },
  MedContestLost: { en: 'Contest of the MED lost', pt: 'Contestação do MED perdida' },
  MedClosed: { en: 'MED closed', pt: 'MED encerrado' },
}
