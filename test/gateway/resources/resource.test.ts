import t from 'tap'
import Type from 'typebox'
import { amountOf, nullableField, pick } from '../../../gateway/resources/fields.ts'
import { fieldsOf, leftOut, part, resource, same } from '../../../gateway/resources/resource.ts'
import { choice } from '../../../gateway/schema/schema.ts'

type Parcel = { readonly id: string; readonly cents: number; readonly sentAtMs: number | null }

const named = fieldsOf<{ readonly id: string }>().with({ id: [Type.String(), same] })

const parcel = resource<Parcel, [now: number, carrier: string]>('TestParcel', 'What is sent.').with({
  ...named,
  amount: [amountOf('What it is worth.'), ({ cents }) => String(cents)],
  status: [choice('SENT', 'WAITING'), (p, now) => ((p.sentAtMs ?? now + 1) > now ? 'WAITING' : 'SENT')],
  carrier: [Type.String(), (_, __, carrier) => carrier],
  picture: [Type.Optional(nullableField(Type.String())), leftOut],
})

t.test('a table gives the schema and the view, both in its order', async (t) => {
  const names = ['id', 'amount', 'status', 'carrier', 'picture']
  const view = parcel.view({ id: 'p_1', cents: 1990, sentAtMs: 5 }, 5, 'post')
  t.strictSame(Object.keys(parcel.schema.properties), names)
  t.strictSame(Object.keys(view), names)
  t.match(parcel.schema, { title: 'TestParcel', description: 'What is sent.', required: names.slice(0, 4) })
  t.strictSame(JSON.parse(JSON.stringify(view)), {
    id: 'p_1',
    amount: '1990',
    status: 'SENT',
    carrier: 'post',
  })
  t.equal(parcel.view({ id: 'p_2', cents: 0, sentAtMs: null }, 5, 'post').status, 'WAITING')
})

t.test('another table takes some of its fields', async (t) => {
  const short = part<Parcel, [number, string]>().with(pick(parcel.fields, 'amount', 'carrier'))
  t.strictSame(short.view({ id: 'p_1', cents: 7, sentAtMs: null }, 0, 'post'), {
    amount: '7',
    carrier: 'post',
  })
  t.equal(short.schema.properties.amount, parcel.schema.properties.amount)
})

t.test('a value that is not what the schema says does not compile', (t) => {
  const { with: fields } = part<Parcel>()
  // @ts-expect-error: a number is no text
  fields({ amount: [Type.String(), ({ cents }) => cents] })
  // @ts-expect-error: it may be null
  fields({ sentAtMs: [Type.Integer(), same] })
  // @ts-expect-error: the state has no such member
  fields({ weight: [Type.Integer(), same] })
  // @ts-expect-error: it is none of these words
  fields({ status: [choice('SENT', 'WAITING'), () => 'LOST'] })
  // @ts-expect-error: it lacks its value
  fields({ id: [Type.String()] })
  t.end()
})
