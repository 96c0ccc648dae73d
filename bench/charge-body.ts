import { integerBetween, oneOf, type Random } from './random.ts'

/** The body of `POST /v1/pix/charges`, about as large as a shop's. */
export const chargeBody = (random: Random, externalId: string) => {
  const name = `${oneOf(random, firstNames)} ${oneOf(random, lastNames)} ${oneOf(random, lastNames)}`
  const order = integerBetween(random, 100_000, 999_999)
  return {
    amount: integerBetween(random, 100, 500_000),
    description: `Pedido ${order} na ${oneOf(random, shops)}`,
    customer: { name, document: cpf(random), email: `${mailName(name)}@example.com` },
    externalId,
    expiresInSeconds: oneOf(random, [900, 1800, 3600, 86_400]),
    metadata: {
      channel: oneOf(random, channels),
      cart: `cart-${order}`,
      items: integerBetween(random, 1, 9),
    },
  }
}

/** A CPF of nobody in particular. */
export const cpf = (random: Random): string => {
  const number = integerBetween(random, 0, 999_999_999)
  return number % repeatedDigit === 0 ? cpf(random) : cpfOf(number)
}

/** One repeated digit belongs to nobody and is refused. */
const repeatedDigit = 111_111_111

/** Eleven digits, the last two of them check digits modulo 11. */
export const cpfOf = (number: number): string => {
  const digits = String(number).padStart(9, '0')
  const first = digits + checkDigit(digits)
  return first + checkDigit(first)
}

/** Fourteen digits: a number, `0001` for the head office, and two check digits. */
export const cnpj = (random: Random): string => {
  const digits = `${integerBetween(random, 10_000_000, 99_999_999)}0001`
  const first = digits + checkDigit(digits, 8)
  return first + checkDigit(first, 8)
}

/** From the right, weights count up from 2; those of a CNPJ begin again after eight. */
const checkDigit = (digits: string, weights = 10): number => {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (2 + (place % weights)), 0)
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}

const mailName = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '.')

const firstNames = [
  'Ana',
  'Beatriz',
  'Caio',
  'Débora',
  'Eduardo',
  'Fátima',
  'Gustavo',
  'Helena',
  'João',
  'Luísa',
]
const lastNames = [
  'Almeida',
  'Barbosa',
  'Conceição',
  'Dias',
  'Ferreira',
  'Gonçalves',
  'Lima',
  'Souza',
  'Teixeira',
]
const shops = ['Loja Azul', 'Padaria Central', 'Livraria do Largo', 'Casa das Ferramentas']
const channels = ['site', 'app', 'televendas']
