import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import encodeQR from 'qr'
import decodeQR from 'qr/decode.js'
import t from 'tap'
import {
  boletoBarCode,
  digitableLine,
  formattedLine,
} from '../../../engine/payments/methods/boleto/bar-code.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { Cents } from '../../../engine/shared/money.ts'
import type { BoletoDocument } from '../../../gateway/documents/boleto/content.ts'
import { boletoPdf } from '../../../gateway/documents/boleto/document.ts'
import { printable } from '../../../gateway/documents/boleto/printable.ts'
import {
  bankCodeAndDigit,
  conditions,
  day,
  money,
  taxDocument,
} from '../../../gateway/documents/boleto/texts.ts'
import { type Box, type Drawing, drawingOf, isWithin, overlaps, type Text, winAnsi } from './pdf-reader.ts'

const vectors = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../../../test/vectors/${name}.json`, import.meta.url), 'utf8'))

const dueDate = '2026-12-20' as CalendarDate
const boleto: BoletoDocument = {
  beneficiary: {
    name: 'Loja Açaí & Pão Ltda',
    document: '12ABC34501DE35',
    address: 'Rua das Flores, 123, loja 4 – Centro – São Paulo – SP – CEP 01001-000',
  },
  payer: {
    name: 'João da Conceição Araújo',
    document: '52998224725',
    address: 'Av. Araújo Conceição, 45 – Água Fria – Açailândia – MA – CEP 65930-000',
  },
  bankCode: '999',
  bankName: 'Banco Sandbox S.A.',
  agencyAndAccount: '0001 / 0000012345-6',
  ourNumber: '00000012343',
  documentNumber: 'PED-2026-000123',
  barCode: boletoBarCode({
    bankCode: '999',
    dueDate,
    amountCents: 123_456 as Cents,
    freeField: '0001000001234000000012345',
  }),
  amountCents: 123_456 as Cents,
  discountCents: 1_000 as Cents,
  fineBps: 200,
  interestBps: 100,
  issuedOn: '2026-11-21' as CalendarDate,
  dueDate,
  instructions: 'Não receber em cheque.\r\n\tDúvidas: (11) 4002-8922.',
  description: 'Pedido 123: dois pares de sapatos',
  pixCopyPaste: vectors('brcode').vectors.find(({ valid }: { valid: boolean }) => valid).payload,
  stamp: null,
}

/** The page, with every text as wide as pdfkit's own font metrics say. */
const drawn = async (changes: Partial<BoletoDocument> = {}): Promise<Drawing> =>
  drawingOf(await boletoPdf({ ...boleto, ...changes }), (text, font, points) =>
    metrics.font(font).fontSize(points).widthOfString(text),
  )
const metrics = new PDFDocument({ autoFirstPage: false })

const textsOf = ({ texts }: Drawing): string[] => texts.map(({ text }) => text)

/** A bar code of 44 digits has 114 bars. */
const barsOf = ({ fills }: Drawing): readonly Box[] => fills.find(({ boxes }) => boxes.length === 114)!.boxes

/** The digits of an interleaved 2 of 5 code, from how wide its bars and the spaces between them are. */
const decodedBars = (bars: readonly Box[]): string => {
  const narrow = Math.min(...bars.map(({ width }) => width))
  const widths = bars.flatMap((bar, n) => [bar.width, (bars[n + 1]?.x ?? Number.NaN) - (bar.x + bar.width)])
  const elements = widths.slice(0, -1).map((width) => (width > 2 * narrow ? '1' : '0'))
  const pairs = elements.slice(4, -3).join('')
  const digitOf = new Map(Object.entries<string>(vectors('itf').table).map(([digit, code]) => [code, digit]))
  const digits = Array.from({ length: pairs.length / 5 }, (_, n) => {
    const pair = pairs.slice(Math.floor(n / 2) * 10, Math.floor(n / 2) * 10 + 10)
    return digitOf.get([...pair].filter((_, place) => place % 2 === n % 2).join(''))
  })
  return elements.slice(0, 4).join('') === '0000' && elements.slice(-3).join('') === '100'
    ? digits.join('')
    : 'no start or no stop'
}

/** The QR code comes after its white ground. */
const qrOf = ({ fills }: Drawing): { readonly modules: boolean[][]; readonly area: Box } | null => {
  const ground = fills.findIndex(({ color }) => color === 'white')
  if (ground === -1) return null
  const { boxes } = fills[ground + 1]!
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))]
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - left
  const side = boxes[0]!.height
  const size = Math.round(width / side)
  const modules = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  for (const box of boxes) {
    const start = Math.round((box.x - left) / side)
    modules[Math.round((box.y - top) / side)]!.fill(true, start, start + Math.round(box.width / side))
  }
  return { modules, area: { x: left, y: top, width, height: size * side } }
}

const decodedQr = (modules: readonly (readonly boolean[])[]): string => {
  const [scale, border] = [4, 4]
  const side = (modules.length + 2 * border) * scale
  const data = new Uint8Array(side * side * 4).fill(0xff)
  for (let i = 0; i < side * side; i++) {
    const [y, x] = [Math.floor(i / side / scale) - border, Math.floor((i % side) / scale) - border]
    if (modules[y]?.[x]) data.fill(0, i * 4, i * 4 + 3)
  }
  return decodeQR({ width: side, height: side, data }, { timeLimit: 10_000 })
}

const stamps = {
  PAID: 'PAGO',
  CANCELLED: 'CANCELADO',
  EXPIRED: 'VENCIDO',
  SANDBOX: 'SANDBOX – SEM VALOR',
} as const

t.test('the bar code says the 44 digits, 103 by 13 mm, with room around it', async (t) => {
  const barCodes = [boleto.barCode, ...vectors('boleto').vectors.map(({ barcode }: any) => barcode)]
  for (const barCode of barCodes) t.equal(decodedBars(barsOf(await drawn({ barCode }))), barCode)
  const drawing = await drawn()
  const bars = barsOf(drawing)
  const [first, last] = [bars[0]!, bars.at(-1)!]
  t.ok(Math.abs(last.x + last.width - first.x - 103) < 0.01)
  t.ok(bars.every(({ y, height }) => y === first.y && Math.abs(height - 13) < 0.01))
  t.ok(297 - (first.y + 13 / 2) >= 12, 'its centre is 12 mm or more above the lower edge')
  const zone = { x: first.x - 5, y: first.y, width: 113, height: 13 }
  const others = [
    ...drawing.texts,
    ...drawing.outlines,
    ...drawing.fills.flatMap(({ boxes }) => (boxes === bars ? [] : boxes)),
  ]
  t.ok(zone.x >= 0)
  t.strictSame(
    others.filter((other) => overlaps(other, zone)),
    [],
  )
})

t.test('the QR code says the PIX code, and is left out where there is none', async (t) => {
  const payloads = vectors('brcode').vectors.flatMap(({ valid, payload }: any) => (valid ? [payload] : []))
  for (const pixCopyPaste of payloads) {
    const { modules, area } = qrOf(await drawn({ pixCopyPaste }))!
    t.equal(decodedQr(modules), pixCopyPaste)
    const expected = encodeQR(pixCopyPaste, 'raw', {
      ecc: 'medium',
      encoding: 'byte',
      mask: 0b010,
      border: 1,
    })
    t.strictSame(
      modules,
      expected.slice(1, -1).map((row) => row.slice(1, -1)),
    )
    t.ok(area.width >= 25)
  }
  const without = await drawn({ pixCopyPaste: null })
  t.equal(qrOf(without), null)
  t.notOk(textsOf(without).some((text) => text.includes('PIX')))
})

t.test('the PIX code is printed whole, in lines that follow each other', async (t) => {
  const longest = `${'0123456789'.repeat(51)}AB`
  for (const pixCopyPaste of [boleto.pixCopyPaste!, longest]) {
    const texts = textsOf(await drawn({ pixCopyPaste }))
    t.ok(texts.join('').includes(pixCopyPaste))
  }
  const spaced = `${'A1 '.repeat(170)}A1`
  const lines = textsOf(await drawn({ pixCopyPaste: spaced })).filter((text) => /^[A1 ]+$/.test(text))
  t.equal(lines.join(''), spaced)
  t.ok(
    lines.every((line) => !line.startsWith(' ') && !line.endsWith(' ')),
    'no space is lost',
  )
  const unprintable = 'BR Code 東京'
  const drawing = await drawn({ pixCopyPaste: unprintable })
  t.equal(decodedQr(qrOf(drawing)!.modules), unprintable)
  t.notOk(textsOf(drawing).some((text) => text.startsWith('BR Code')))
})

t.test('both parts say who, what, how much and until when', async (t) => {
  const texts = textsOf(await drawn())
  for (const expected of [
    formattedLine(digitableLine(boleto.barCode)),
    '999-7',
    'Banco Sandbox S.A.',
    'Loja Açaí & Pão Ltda – CNPJ 12.ABC.345/01DE-35',
    boleto.beneficiary.address,
    'João da Conceição Araújo – CPF 529.982.247-25',
    boleto.payer.address,
    '0001 / 0000012345-6',
    '0000001234-3',
    'PED-2026-000123',
    'R$ 1.234,56',
    '20/12/2026',
    'Até o vencimento, desconto de R$ 10,00: pagar R$ 1.224,56.',
    'Após o vencimento, multa de 2,00% (R$ 24,69).',
    'Após o vencimento, juros de 1,00% ao mês, proporcionais aos dias de atraso.',
  ])
    t.equal(texts.filter((text) => text === expected).length, 2, expected)
})

t.test('the slip has the boxes and words of the standard', async (t) => {
  const { texts } = await drawn()
  const onSlip = texts.filter(({ y }) => y > 189).map(({ text }) => text)
  for (const label of [
    'Local de pagamento',
    'Vencimento',
    'Beneficiário',
    'Agência / Código do beneficiário',
    'Data do documento',
    'Nº do documento',
    'Espécie doc.',
    'Aceite',
    'Data do processamento',
    'Nosso número',
    'Uso do banco',
    'Carteira',
    'Espécie moeda',
    'Quantidade',
    'Valor',
    '(=) Valor do documento',
    'Instruções (Texto de responsabilidade do beneficiário)',
    '(-) Desconto / Abatimento',
    '(-) Outras deduções',
    '(+) Juros / Multa',
    '(+) Outros acréscimos',
    '(=) Valor cobrado',
    'Pagador',
    'Sacador / Avalista',
    'Autenticação Mecânica - Ficha de Compensação',
  ])
    t.ok(onSlip.includes(label), label)
  t.ok(onSlip.includes('Não receber em cheque.') && onSlip.includes('Dúvidas: (11) 4002-8922.'))
  t.ok(texts.some(({ text, y }) => text === 'Recibo do Pagador' && y < 20))
})

t.test('letters are as high as the standard wants', async (t) => {
  const { texts } = await drawn()
  const heightOf = (wanted: string): number =>
    (texts.find(({ text }) => text === wanted)!.points * 0.71 * 25.4) / 72
  const line = heightOf(formattedLine(digitableLine(boleto.barCode)))
  t.ok(line >= 3.5 && line <= 4, `line: ${line}`)
  t.ok(Math.abs(heightOf('999-7') - 5) < 0.1)
  t.ok(heightOf('Autenticação Mecânica - Ficha de Compensação') <= 2)
})

t.test('without fine, interest and discount there is no line of them', async (t) => {
  const plain = {
    discountCents: 0 as Cents,
    fineBps: 0,
    interestBps: 0,
    instructions: null,
    description: null,
  }
  t.strictSame(conditions({ ...boleto, ...plain }), [])
  t.notOk(textsOf(await drawn(plain)).some((text) => text.includes('o vencimento,')))
})

const longNames: Partial<BoletoDocument> = {
  beneficiary: {
    name: 'Companhia Brasileira '.repeat(12),
    document: '11222333000181',
    address: 'Santíssima '.repeat(20),
  },
  payer: {
    name: 'W'.repeat(255),
    document: '11222333000181',
    address: `${'m'.repeat(64)}@${'w'.repeat(180)}.com`,
  },
  bankName: 'Banco Cooperativo do Brasil Sociedade Anônima',
  agencyAndAccount: '0123456789'.repeat(6),
  documentNumber: 'PEDIDO '.repeat(30),
  amountCents: 9_999_999_999 as Cents,
  discountCents: 9_999_999_998 as Cents,
  fineBps: 1000,
  interestBps: 1000,
  pixCopyPaste: 'W'.repeat(512),
}
const instructions = {
  'one sentence': 'Não receber após o vencimento. '.repeat(13).slice(0, 400),
  'one word': 'W'.repeat(400),
  'letters that kern apart': 'rt'.repeat(200),
  'a letter in each line': 'a\n'.repeat(200),
  'only new lines': '\n'.repeat(400),
  'tabs and spaces': '\t \r\n \tx'.repeat(57),
  'short lines': 'Linha de instruções\n'.repeat(20),
}

/** Texts off the part of the sheet that printers reach, and what a line, a bar, a code or another text crosses. */
const textsOutOfPlace = ({ texts, outlines, fills }: Drawing): readonly Box[] => {
  const crossing = texts.flatMap((text) => [
    ...outlines.filter((box) => overlaps(text, box) && !isWithin(text, box)),
    ...fills.flatMap(({ boxes, color }) =>
      color === 'white' ? [] : boxes.filter((box) => overlaps(text, box)),
    ),
    ...texts.filter((other) => other !== text && overlaps(text, other)),
  ])
  return [...texts.filter((text) => !isWithin(text, print)), ...crossing]
}
const print = { x: 9.9, y: 5, width: 190.2, height: 287 }

for (const [name, text] of Object.entries(instructions)) {
  t.test(`texts too long for their boxes stay in them: ${name}`, async (t) => {
    const drawing = await drawn({ ...longNames, instructions: text, description: text.slice(0, 140) })
    t.strictSame(textsOutOfPlace(drawing), [])
  })
}

t.test('four hundred characters of instructions lose no word', async (t) => {
  const words = (texts: readonly string[]): string[] => texts.join(' ').match(/[\p{L}\d]+/gu) ?? []
  for (const name of ['one sentence', 'a letter in each line', 'tabs and spaces', 'short lines'] as const) {
    const printed = textsOf(
      await drawn({ ...longNames, instructions: instructions[name], description: null }),
    )
    const from = printed.indexOf('Instruções (Texto de responsabilidade do beneficiário)')
    t.ok(
      words(printed.slice(from))
        .join(' ')
        .includes(words([instructions[name]]).join(' ')),
      name,
    )
  }
})

t.test('a name that is cut says so, and its tax document stays', async (t) => {
  const texts = textsOf(await drawn(longNames))
  t.equal(texts.filter((text) => /^W{20,}… – CNPJ 11\.222\.333\/0001-81$/.test(text)).length, 2)
})

t.test('equal boletos give equal bytes, also when they are printed at once', async (t) => {
  const stamped = { ...boleto, stamp: 'PAID' } as const
  const [first, other, second] = await Promise.all([boletoPdf(boleto), boletoPdf(stamped), boletoPdf(boleto)])
  t.ok(first.equals(second))
  t.ok((await boletoPdf(boleto)).equals(first))
  t.notOk(other.equals(first))
  t.match(first.toString('latin1'), /\/CreationDate|D:20261121000000Z/)
  t.strictSame(new Set(first.toString('latin1').match(/D:\d+Z/g)), new Set(['D:20261121000000Z']))
})

t.test('a stamp is across both parts, below everything else, and off the bar code', async (t) => {
  for (const [stamp, word] of Object.entries(stamps) as [keyof typeof stamps, string][]) {
    const drawing = await drawn({ stamp })
    const isStamp = ({ angle }: Text): boolean => angle !== 0
    const [above, below, ...more] = drawing.texts.filter(isStamp)
    t.strictSame([above!.text, below!.text, more.length], [word, word, 0])
    t.ok(above!.points > 40 && above!.y < 189 && below!.y > 189, 'large, one above and one below the cut')
    t.strictSame(drawing.order.slice(0, 2), ['text', 'text'], 'drawn first')
    const bars = barsOf(drawing)
    const zone = { x: bars[0]!.x - 5, y: bars[0]!.y - 1, width: 113, height: 20 }
    for (const text of [above!, below!]) {
      t.notOk(overlaps(text, zone))
      t.ok(isWithin(text, print))
    }
    t.equal(decodedBars(bars), boleto.barCode)
    const { modules, area } = qrOf(drawing)!
    t.equal(decodedQr(modules), boleto.pixCopyPaste)
    const ground = drawing.fills.find(({ color }) => color === 'white')!.boxes[0]!
    const quiet = (area.width / modules.length) * 4
    const whole = {
      x: area.x - quiet,
      y: area.y - quiet,
      width: area.width + 2 * quiet,
      height: area.height + 2 * quiet,
    }
    t.ok(isWithin(whole, ground), 'the QR code is on white ground')
  }
  t.notOk((await drawn()).texts.some(({ angle }) => angle !== 0))
})

t.test('texts of any language are printed in the letters that there are', async (t) => {
  for (const [text, expected] of [
    ['João Açaí – “50 €”…', 'João Açaí – “50 €”…'],
    ['Joa\u0303o', 'João'],
    ['Łukasz Żółć, Nguyễn Đức, İstanbul, Ǿ', 'Lukasz Zólc, Nguyen Duc, Istanbul, Ø'],
    ['ﬁ Ａ № ½ ㎏', 'fi A No ½ kg'],
    ['東京 Иван 👍', '?? ????'],
    ['Łódź Straße', 'Lódz Straße'],
    ['🍕 Pizza 🍕🍷 da Nonna 👨‍👩‍👧 🇧🇷', 'Pizza da Nonna'],
    ['Loja🍕Boa ❤️ 50%, nº 1️⃣ ® ™ ©', 'LojaBoa 50%, nº 1 ® ™ ©'],
    ['a  b', 'a  b'],
    ['a\u202Eb\u00ADc\u200Bd\uFEFFe', 'abcde'],
    ['a\u0000b\tc\u0085d\u00A0e', 'a b c d e'],
    ['a\r\nb\u2028c', 'a  b c'],
    ['\ud800x\udfff', '?x?'],
  ] as const)
    t.equal(printable(text), expected)
  const letters = new Set([...winAnsi].filter((letter) => letter > '\u00a0'))
  for (let code = 32; code < 256; code++)
    if (code < 127 || (code > 160 && code !== 173)) letters.add(String.fromCharCode(code))
  const wrong: number[] = []
  for (let point = 0; point <= 0xffff; point++) {
    const printed = printable(String.fromCodePoint(point))
    if (![...printed].every((letter) => letters.has(letter))) wrong.push(point)
  }
  t.strictSame(wrong, [])
})

t.test('strange characters in every field crash nothing', async (t) => {
  const strange = '東京\ud800\u0000\n\u202Eשלום 👨‍👩‍👧 (\\)<>[]%/\u007f\u009fé'
  const drawing = await drawn({
    beneficiary: { name: strange, document: '12ABC34501DE35', address: strange },
    payer: { name: strange, document: '52998224725', address: strange },
    bankName: strange,
    agencyAndAccount: strange,
    documentNumber: strange,
    instructions: strange,
    description: strange,
    pixCopyPaste: strange,
  })
  t.strictSame(textsOutOfPlace(drawing), [])
  t.equal(
    decodedQr(qrOf(drawing)!.modules),
    Buffer.from(strange).toString(),
    'but in the QR code as they are',
  )
  const texts = textsOf(drawing)
  t.ok(texts.some((text) => text.includes('(\\)<>[]%/') && text.includes('é')))
  for (const text of texts) t.match(text, /^[ -~¡-ÿ–…]+$/)
  const empty = { name: '', document: '52998224725', address: '' }
  const nothing = { beneficiary: empty, payer: empty, bankName: '', agencyAndAccount: '', documentNumber: '' }
  t.strictSame(textsOutOfPlace(await drawn(nothing)), [])
})

t.test('money, dates, tax documents and banks as Brazil writes them', async (t) => {
  t.strictSame([1, 100, 99_999, 123_456, 9_999_999_999].map(money), [
    'R$ 0,01',
    'R$ 1,00',
    'R$ 999,99',
    'R$ 1.234,56',
    'R$ 99.999.999,99',
  ])
  t.equal(day('2026-02-01'), '01/02/2026')
  t.equal(taxDocument('52998224725'), 'CPF 529.982.247-25')
  t.equal(taxDocument('11222333000181'), 'CNPJ 11.222.333/0001-81')
  t.equal(taxDocument('12ABC34501DE35'), 'CNPJ 12.ABC.345/01DE-35')
  t.strictSame(['001', '033', '104', '237', '341', '999'].map(bankCodeAndDigit), [
    '001-9',
    '033-7',
    '104-0',
    '237-2',
    '341-7',
    '999-7',
  ])
})

t.test('a boleto whose payer is forgotten is printed without one', async (t) => {
  const payer = { name: '', document: '', address: '' }
  const texts = textsOf(await drawn({ payer, stamp: 'PAID' })).join('\n')
  t.match(texts, boleto.beneficiary.name)
  t.notMatch(texts, /undefined|null|NaN/)
})
