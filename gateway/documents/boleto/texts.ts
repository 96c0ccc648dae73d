import { modulo11 } from '../../../engine/payments/methods/boleto/check-digits.ts'
import { basisPointsDown, toCents } from '../../../engine/shared/money.ts'
import type { BoletoDocument } from './content.ts'

/** The terms before and after the due date, one sentence each. Banks apply what was registered, which is the same. */
export const conditions = (document: BoletoDocument): readonly string[] => {
  const { amountCents, discountCents, fineBps, interestBps } = document
  const discounted = toCents(amountCents - discountCents)
  const fine = basisPointsDown(amountCents, fineBps)
  return [
    discountCents > 0 && `Até o vencimento, desconto de ${money(discountCents)}: pagar ${money(discounted)}.`,
    fineBps > 0 && `Após o vencimento, multa de ${percent(fineBps)} (${money(fine)}).`,
    interestBps > 0 &&
      `Após o vencimento, juros de ${percent(interestBps)} ao mês, proporcionais aos dias de atraso.`,
  ].filter((sentence) => sentence !== false)
}

/** `R$ 1.234,56`. */
export const money = (cents: number): string => {
  const digits = String(cents).padStart(3, '0')
  return `R$ ${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)}`
}

/** `2,00%`. */
export const percent = (bps: number): string => `${(bps / 100).toFixed(2).replace('.', ',')}%`

/** `dd/mm/aaaa`. */
export const day = (date: string): string => `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`

/** `CPF 000.000.000-00` or `CNPJ AA.AAA.AAA/AAAA-00`, which may have letters (IN RFB 2.229/2024). */
export const taxDocument = (document: string): string =>
  document.length === 11
    ? `CPF ${document.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')}`
    : `CNPJ ${document.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')}`

/** A bank code with its check digit: modulo 11, with 0 for 10 and 11. `104-0`, `341-7`. */
export const bankCodeAndDigit = (bankCode: string): string => {
  const digit = modulo11(bankCode)
  return `${bankCode}-${digit >= 10 ? 0 : digit}`
}

/** `0000000001-9`. */
export const ourNumberAndDigit = (ourNumber: string): string =>
  `${ourNumber.slice(0, -1)}-${ourNumber.slice(-1)}`
