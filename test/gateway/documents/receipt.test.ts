import PDFDocument from 'pdfkit'
import t from 'tap'
import { type ReceiptDocument, receiptPdf } from '../../../gateway/documents/receipt/receipt.ts'
import { drawingOf, isWithin, overlaps } from './pdf-reader.ts'

const metrics = new PDFDocument()
const drawn = async (document: ReceiptDocument) =>
  drawingOf(await receiptPdf(document), (text, font, points) =>
    metrics.font(font).fontSize(points).widthOfString(text),
  )

const receipt: ReceiptDocument = {
  language: 'pt',
  title: 'Comprovante de transferência',
  amount: 'R$ 9.999.999.999,99',
  groups: [
    {
      heading: 'Transferência',
      rows: [
        ['Data', '24/11/2026 às 10:15:32'],
        ['Descrição', 'Nota fiscal de um pedido com muitas palavras '.repeat(3)],
        ['ID da transação PIX', 'E99999999202611241315abcdefghijk'],
      ],
    },
    { heading: 'Para', rows: [['Nome', 'João 🦜 Nogueira']] },
    { heading: 'De', rows: [['Nome', 'W'.repeat(120)]] },
  ],
  sha256: 'a'.repeat(64),
  createdAtMs: 1.79e12,
  isTest: true,
}

t.test('a receipt says all that it has to, on one page, and nothing covers anything', async (t) => {
  const { texts } = await drawn(receipt)
  const said = texts.map(({ text }) => text).join(' ')
  for (const part of ['Comprovante de transferência', receipt.amount, 'E9999999920261124', 'SANDBOX'])
    t.ok(said.includes(part), part)
  t.ok(said.includes(`SHA-256 ${receipt.sha256}`))
  t.match(said, /João Nogueira/)
  for (const [n, one] of texts.entries()) {
    t.ok(isWithin(one, { x: 0, y: 0, width: 210, height: 297 }), `${one.text} is on the page`)
    for (const other of texts.slice(n + 1)) t.notOk(overlaps(one, other), `${one.text} / ${other.text}`)
  }
})

t.test('a receipt in English says in English that it is a test', async (t) => {
  const { texts } = await drawn({ ...receipt, language: 'en', title: 'Payment receipt' })
  const said = texts.map(({ text }) => text).join(' ')
  t.match(said, /SANDBOX: test only, no money was moved/)
  t.notMatch(said, /sem valor/)
})

t.test('the same receipt is the same file', async (t) => {
  t.ok((await receiptPdf(receipt)).equals(await receiptPdf(receipt)))
  t.notOk((await receiptPdf({ ...receipt, isTest: false })).includes('SANDBOX'))
})
