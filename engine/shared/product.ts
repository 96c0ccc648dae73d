export const products = ['PIX', 'CARD', 'BOLETO', 'RECURRING', 'SPLIT', 'CRYPTO'] as const
export type Product = (typeof products)[number]
