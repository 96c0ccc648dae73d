/**
 * Queries, and what has to be among the first four hits of each on the pages of either language: pages of the guide as
 * `refunds`, operations as `POST /v1/plans`.
 */
export const searches: Readonly<Record<string, readonly string[]>> = {
  refund: ['refunds'],
  refunds: ['refunds'],
  estorno: ['refunds'],
  estornar: ['refunds', 'POST /v1/transactions/{id}/refund'],
  reembolso: ['refunds', 'POST /v1/transactions/{id}/refund'],
  devolução: ['refunds', 'POST /v1/transactions/{id}/refund'],
  devolucao: ['refunds', 'POST /v1/transactions/{id}/refund'],
  reembol: ['refunds', 'POST /v1/transactions/{id}/refund'],
  'how do I refund a payment?': ['refunds'],
  'como faço para estornar um pagamento': ['refunds'],
  subscription: ['subscriptions'],
  assinatura: ['subscriptions', 'POST /v1/subscriptions'],
  mensalidade: ['subscriptions', 'POST /v1/subscriptions'],
  recorrência: ['POST /v1/subscriptions'],
  payout: ['GET /v1/split/transfers'],
  repasse: ['GET /v1/split/transfers'],
  saque: ['crypto', 'transfers'],
  transferência: ['transfers'],
  withdrawal: ['crypto'],
  charge: ['pix'],
  cobrança: ['pix'],
  'criar uma cobrança pix': ['pix'],
  boleto: ['boletos', 'POST /v1/boletos'],
  boletos: ['boletos'],
  'bank slip': ['boletos', 'POST /v1/boletos'],
  'payment slip': ['boletos'],
  cartão: ['cards', 'POST /v1/card-payments'],
  cartoes: ['cards'],
  'credit card': ['cards'],
  'chave pix': ['GET /v1/pix/keys'],
  'PIX key': ['GET /v1/pix/keys'],
  recebível: ['money'],
  antecipação: ['money'],
  chargeback: ['cards', 'GET /v1/cards/chargebacks'],
  contestação: ['refunds', 'pix'],
  MED: ['pix', 'GET /v1/meds'],
  webhook: ['webhooks'],
  notificação: ['webhooks'],
  'webhook signature': ['webhooks'],
  nota: ['GET /v1/invoices'],
  recibo: ['GET /v1/transfers/{id}/receipt'],
  comprovante: ['GET /v1/transfers/{id}/receipt'],
  cupom: ['POST /v1/coupons'],
  coupon: ['POST /v1/coupons'],
  desconto: ['boletos', 'POST /v1/coupons'],
  multa: ['boletos'],
  juros: ['boletos'],
  taxa: ['cards', 'money'],
  'API key': ['GET /v1/keys'],
  idempotência: ['idempotency'],
  'POST /v1/boletos': ['POST /v1/boletos'],
  'going live': ['going-live'],
  reconciliation: ['reconciliation'],
  conciliação: ['reconciliation'],
  LGPD: ['privacy'],
  'dados pessoais': ['privacy'],
  'PCI DSS': ['pci'],
  'SAQ A': ['pci'],
  changelog: ['changelog'],
  'release notes': ['changelog'],
  glossary: ['glossary'],
  glossário: ['glossary'],
  adquirente: ['glossary'],
  ISPB: ['glossary'],
  // Mistyped.
  webhok: ['webhooks'],
  bolleto: ['boletos'],
}

/** The places of the first four hits: sections of one page are one place. */
export const firstPlaces = (paths: readonly string[]): readonly string[] => [
  ...new Set(
    paths.slice(0, 4).map((path) => {
      const [, slug = '', anchor = ''] = /^\/docs\/\w+\/([^#]+)#?(.*)$/.exec(path) ?? []
      const [, verb, operation] = /^tag\/[^/]+\/([A-Z]+)(\/.*)$/.exec(anchor) ?? []
      return slug === 'reference' && verb ? `${verb} ${operation}` : slug
    }),
  ),
]
