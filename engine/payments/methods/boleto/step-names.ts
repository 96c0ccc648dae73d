import type { StepNames } from '../step-names.ts'
import type { BoletoFact } from './facts.ts'

export const boletoStepNames: StepNames<BoletoFact> = {
  BoletoIssued: { en: 'Boleto registered', pt: 'Boleto registrado' },
  BoletoOverdue: { en: 'Boleto overdue', pt: 'Boleto vencido' },
  BoletoPaymentReported: { en: 'Boleto payment reported', pt: 'Pagamento do boleto informado' },
  BoletoCleared: { en: 'Boleto cleared', pt: 'Boleto compensado' },
}
