export const products = ['PIX', 'CARD', 'BOLETO', 'RECURRING', 'SPLIT'] as const
export type Product = (typeof products)[number]
