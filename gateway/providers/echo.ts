import type { Echo, ProviderAsk } from './port.ts'

/** In what an echo differs from its ask; null where it says nothing else. Merchants and payers hear only of what was asked. */
export const wrongEcho = (ask: ProviderAsk, echo: Echo): string | null => {
  const { reference, amountCents, payee } = echo
  if (reference !== null && reference !== ask.reference) return 'reference'
  if (amountCents !== null && amountCents !== ask.amountCents) return 'amount'
  const wanted = payeeOf(ask)
  return payee !== null && wanted !== null && payee !== wanted ? 'payee' : null
}

const payeeOf = (ask: ProviderAsk): string | null => {
  if (ask.operation === 'PAY_OUT') return ask.data.payee.document
  return ask.operation === 'REGISTER' && ask.data.rail === 'PIX' ? ask.data.pixKey : null
}
