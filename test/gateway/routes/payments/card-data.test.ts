import t from 'tap'
import { refuseCardData } from '../../../../gateway/routes/payments/cards/card-data.ts'

/** A number of a Visa test card, with its check digit. */
const pan = '4111111111111111'
const token = 'tok_0f9c1a'

const isRefused = (card: unknown): boolean => refuseCardData({ amount: 1, card }) !== null

t.test('a refusal says nothing of what was sent', async (t) => {
  const problem = refuseCardData({ card: { token, number: pan, cvv: '987' } })
  t.match(problem, { status: 400, code: 'CARD_DATA_NOT_ALLOWED' })
  t.notMatch(JSON.stringify(problem), /4111|987|number"/)
})

t.test('every name of a card number or security code is refused, however it is written', async (t) => {
  const names = ['number', 'pan', 'cardNumber', 'cvv', 'cvc', 'securityCode']
  const spellings = [
    'PAN',
    'card_number',
    'Card-Number',
    'CVV',
    'cvv2',
    'cvc2',
    'security_code',
    'SecurityCode',
  ]
  for (const name of [...names, ...spellings]) {
    t.ok(isRefused({ token, [name]: 'x' }), name)
    t.ok(isRefused({ token, [name]: null }), `${name} without a value`)
    t.ok(isRefused({ token, holder: { details: [{ [name]: '1' }] } }), `${name} further down`)
  }
})

t.test('what the route takes passes', async (t) => {
  t.notOk(isRefused({ token, brand: 'VISA', last4: '1111', bin: '41111111', holderName: 'ANA SOUZA' }))
  t.notOk(isRefused({ token: '0b9f2c1e-7a44-4a53-9d1e-2f6f0d3a9c11' }))
  t.notOk(isRefused({ token: `tok_${pan}` }), 'a token that has letters')
  t.notOk(isRefused({ token, phoneNumber: '11999998888', numbers: 1 }), 'names that only contain one')
  t.notOk(isRefused({}))
  t.notOk(isRefused(null))
  t.notOk(isRefused(undefined))
  t.notOk(isRefused(true))
  t.equal(refuseCardData({}), null)
  t.equal(refuseCardData(null), null)
  t.equal(refuseCardData({ metadata: { number: 'order 5' } }), null, 'only what is in card')
})

t.test('thirteen to nineteen digits with the check digit of Luhn are a card number', async (t) => {
  const numbers = [
    '4222222222222', // 13
    '378282246310005', // 15, American Express
    '30569309025904', // 14, Diners
    pan,
    '5555555555554444',
    '6362970000457013', // Elo
    '6062825624254001', // Hipercard
    '4000000000000000006', // 19
  ]
  for (const number of numbers) {
    t.ok(isRefused({ token: number }), number)
    t.ok(isRefused({ token: ` ${number} ` }), 'with spaces around it')
    const digits = [...number]
    digits[3] = String((Number(digits[3]) + 1) % 10)
    t.notOk(isRefused({ token: digits.join('') }), 'one digit wrong')
  }
  t.ok(isRefused({ token: '4111 1111 1111 1111' }), 'in groups')
  t.ok(isRefused({ token: '4111-1111-1111-1111' }), 'with dashes')
  t.ok(isRefused({ token: Number(pan) }), 'as a number')
  t.ok(isRefused({ token, holderName: pan }), 'in another field')
  t.ok(isRefused({ token, extra: [{ more: [pan] }] }), 'further down')
  t.ok(isRefused(pan), 'instead of the object')
  t.ok(isRefused([pan]), 'in an array instead of the object')
})

t.test('shorter and longer numbers are none', async (t) => {
  t.notOk(isRefused({ token: '411111111117' }), 'twelve digits')
  t.notOk(isRefused({ token: '41111111111111111115' }), 'twenty digits')
  t.notOk(isRefused({ token: '' }))
  t.notOk(isRefused({ token: '-' }))
})

t.test('a card number is found however it is spelt, and beside other digits', async (t) => {
  const groups = ['4111', '1111', '1111', '1111']
  const separators = [
    '.',
    '/',
    '\u00a0',
    '\u2013',
    '\u2011',
    '\t',
    '\n',
    '  ',
    '_',
    '\u200b',
    '\u3000',
    '\u00b7',
    ', ',
    '\u{1f4b3}',
  ]
  const spellings = [
    ...separators.map((separator) => groups.join(separator)),
    ...[...'4111111111111111'].join(' ').split('|'),
    '\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11',
    [...pan].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join(''),
    [...pan].map((digit) => String.fromCodePoint(0x1d7ce + Number(digit))).join(''),
    `${pan} 12/27`,
    `12/27 ${pan}`,
    `${pan} 123`,
    `(${pan})`,
  ]
  for (const spelling of spellings) {
    t.ok(isRefused({ token: spelling }), JSON.stringify(spelling))
    t.ok(isRefused({ token, holderName: `ANA SOUZA ${spelling}` }), `${JSON.stringify(spelling)} in a name`)
  }
  t.ok(isRefused({ token, holderName: `x${pan}` }), 'behind a letter')
  t.ok(isRefused({ token, '\uff4e\uff55\uff4d\uff42\uff45\uff52': 1 }), 'a name in full width')
  t.notOk(isRefused({ token, holderName: 'JO\u00c3O 3\u00ba DA SILVA' }))
  t.notOk(isRefused({ token, bin: '411111', last4: '1111', phone: '+55 (11) 99999-8888' }))
})
