import type { StepNames } from '../step-names.ts'
import type { CardFact } from './facts.ts'

export const cardStepNames: StepNames<CardFact> = {
  AuthorizationPending: { en: 'Authorization under review', pt: 'Autorização em análise' },
  CardAuthorized: { en: 'Amount held', pt: 'Valor reservado' },
  CardApproved: { en: 'Payment approved', pt: 'Pagamento aprovado' },
  CardCaptured: { en: 'Captured', pt: 'Valor capturado' },
  CardDeclined: { en: 'Declined', pt: 'Pagamento recusado' },
  CardVoided: { en: 'Authorization cancelled', pt: 'Autorização cancelada' },
  AuthorizationTimedOut: { en: 'Authorization timed out', pt: 'Autorização sem resposta' },
  AuthorizationReversed: { en: 'Authorization reversed', pt: 'Autorização desfeita' },
  CaptureRefused: { en: 'Capture refused', pt: 'Captura recusada' },
  VoidRefused: { en: 'Cancellation refused', pt: 'Cancelamento recusado' },
  ChargebackOpened: { en: 'Chargeback opened', pt: 'Chargeback aberto' },
  ChargebackGrown: { en: 'Chargeback takes more', pt: 'Chargeback ampliado' },
  ChargebackDisputed: { en: 'Defense sent', pt: 'Defesa enviada' },
  ChargebackWon: { en: 'Chargeback won', pt: 'Chargeback ganho' },
  ChargebackLost: { en: 'Chargeback lost', pt: 'Chargeback perdido' },
}
