import type { StepNames } from '../step-names.ts'
import type { PixFact } from './facts.ts'

export const pixStepNames: StepNames<PixFact> = {
  ChargeIssued: { en: 'Ready for payment', pt: 'Pronta para pagamento' },
  ChargePaid: { en: 'Payment received', pt: 'Pagamento recebido' },
  PaymentReturned: { en: 'Payment returned', pt: 'Pagamento devolvido' },
  ChargeScheduled: { en: 'Scheduled with the payer’s bank', pt: 'Agendada no banco do pagador' },
  ScheduledChargeFailed: { en: 'Not paid by the payer’s bank', pt: 'Não paga pelo banco do pagador' },
  ChargeCodeReplaced: { en: 'QR code offers Pix Automático', pt: 'QR Code oferece Pix Automático' },
  RegistrationTimedOut: { en: 'Registration took too long', pt: 'Registro demorou demais' },
  ReturnBegun: { en: 'Payment is going back', pt: 'Pagamento em devolução' },
  ReturnRepeated: { en: 'Return sent once more', pt: 'Devolução enviada novamente' },
  ReturnedInPart: {
    en: 'Part of the payment returned at the bank',
    pt: 'Parte do pagamento devolvida no banco',
  },
  ReturnCompleted: { en: 'Payment returned', pt: 'Pagamento devolvido' },
  ReturnRefused: { en: 'Return refused by the bank', pt: 'Devolução recusada pelo banco' },
  MedOpened: { en: 'MED opened', pt: 'MED aberto' },
  MedBlocked: { en: 'Amount blocked for the MED', pt: 'Valor bloqueado pelo MED' },
  MedDefended: { en: 'MED defense sent', pt: 'Defesa do MED enviada' },
  MedDefenseRefused: { en: 'MED defense refused by the bank', pt: 'Defesa do MED recusada pelo banco' },
  MedContested: { en: 'MED return contested', pt: 'Devolução do MED contestada' },
  MedContestWon: { en: 'MED contest won', pt: 'Contestação do MED ganha' },
  MedContestLost: { en: 'MED contest lost', pt: 'Contestação do MED perdida' },
  MedClosed: { en: 'MED closed', pt: 'MED encerrado' },
}
