/** What routes that belong together share. */

const ofPix = { tag: 'PIX', product: 'PIX' } as const
const ofCards = { tag: 'Card', product: 'CARD' } as const
const ofBoletos = { tag: 'Boleto', product: 'BOLETO' } as const
const ofCheckout = { tag: 'Checkout', product: 'CHECKOUT' } as const
const ofCrypto = { tag: 'Crypto', product: 'CRYPTO' } as const
const reads = { verb: 'GET', permission: 'charges.read' } as const
const writes = { verb: 'POST', permission: 'charges.create', idempotent: true } as const

export const pixReads = { ...ofPix, ...reads } as const
export const pixWrites = { ...ofPix, ...writes } as const
export const cardReads = { ...ofCards, ...reads } as const
export const cardWrites = { ...ofCards, ...writes } as const
export const boletoReads = { ...ofBoletos, ...reads } as const
export const boletoWrites = { ...ofBoletos, ...writes } as const
export const checkoutReads = { ...ofCheckout, ...reads } as const
export const checkoutWrites = { ...ofCheckout, ...writes } as const
export const cryptoReads = { ...ofCrypto, ...reads } as const
export const cryptoWrites = { ...ofCrypto, ...writes } as const
/** What only people do with stablecoins. */
export const cryptoBalanceReads = {
  ...ofCrypto,
  verb: 'GET',
  permission: 'balance.read',
  isForPeople: true,
} as const
export const cryptoConversions = { ...ofCrypto, verb: 'POST', permission: 'crypto.convert' } as const
export const cryptoMoneyOut = { ...ofCrypto, permission: 'crypto.withdraw' } as const
export const transactionReads = {
  tag: 'Transactions',
  product: null,
  verb: 'GET',
  permission: 'transactions.read',
} as const
export const ofSplit = { tag: 'Split', product: 'SPLIT', permission: 'marketplace.manage' } as const
