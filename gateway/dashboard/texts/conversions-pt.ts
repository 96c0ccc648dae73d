import type { Schemas } from '../core/api.ts'

/** Conversões, que só as próprias páginas carregam. */
export const conversionsPt = {
  lead: 'Converta reais em stablecoins e vice-versa, pela cotação exibida.',
  create: 'Converter',
  from: 'Você paga',
  to: 'Você recebe',
  rate: 'Cotação',
  point: ',',
  tax: 'Impostos',
  none: 'Nenhuma conversão ainda',
  noneText: 'A cotação vale por 30 segundos e não muda nesse tempo.',
  quote: 'Ver cotação',
  pair: 'De → para',
  side: 'Informe',
  giving: (currency: string) => `valor a pagar, em ${currency}`,
  getting: (currency: string) => `valor a receber, em ${currency}`,
  holds: (seconds: number) => `Esta cotação vale por ${seconds} s.`,
  over: 'Esta cotação expirou.',
  again: 'Nova cotação',
  sign: 'Assinar e converter',
  done: 'Conversão concluída',
  failed: 'Motivo da falha',
  by: 'Solicitada por',
  failure: {
    PROVIDER_REJECTED: 'Recusada pelo provedor',
    MARKET_MOVED: 'A cotação do mercado mudou',
    RATE_EXPIRED: 'A cotação expirou',
  } satisfies Record<NonNullable<Schemas['Conversion']['failureReason']>, string>,
}

/** The texts of the pages about conversions, in any language. */
export type ConversionTexts = typeof conversionsPt
