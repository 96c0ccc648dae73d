import t from 'tap'
import Type from 'typebox'
import { routes } from '../../../gateway/routes/index.ts'
import { readParameters } from '../../../gateway/schema/parameters.ts'
import { readQuery } from '../../../gateway/schema/query.ts'
import { choice, oneOrMore } from '../../../gateway/schema/schema.ts'

const schema = Type.Object({
  status: oneOrMore(choice('PAID', 'OPEN')),
  page: Type.Optional(Type.Integer()),
  pageSize: Type.Optional(Type.Integer()),
  externalId: Type.Optional(Type.Array(Type.String({ format: 'text' }))),
})

const read = (raw: string) => {
  const query = readQuery(raw)
  const { values, unknown, errors } = readParameters(schema, query.ok ? query.values : {})
  return { values, unknown, fields: errors.map(({ field, code }) => `${field} ${code}`) }
}

t.test('a list is written in the ways of other software', async (t) => {
  const ways = [
    'status=PAID,OPEN',
    'status=PAID&status=OPEN',
    'status[]=PAID&status[]=OPEN',
    'status%5B%5D=PAID&status%5B%5D=OPEN',
    'status[0]=PAID&status[1]=OPEN',
    'status%5B0%5D=PAID&status%5B1%5D=OPEN',
    'status=PAID&status[]=OPEN',
    'Status=PAID&STATUS[]=OPEN',
  ]
  for (const way of ways)
    t.strictSame(read(way), { values: { status: ['PAID', 'OPEN'] }, unknown: [], fields: [] }, way)
})

t.test('a known parameter is taken however its words are written', async (t) => {
  for (const way of ['pageSize=5', 'pagesize=5', 'PAGESIZE=5', 'page_size=5', 'page-size=5', 'pageSize[]=5'])
    t.strictSame(read(way), { values: { pageSize: 5 }, unknown: [], fields: [] }, way)
})

t.test('one parameter in two spellings is given twice', async (t) => {
  for (const way of ['page=1&page[]=2', 'page=1&Page=2', 'page[0]=1&page[1]=2'])
    t.strictSame(read(way).fields, ['query.page DUPLICATE'], way)
})

t.test('what resembles nothing stays unknown', async (t) => {
  for (const name of [
    'state',
    'status[a]',
    'status[]x',
    'filter[status]',
    'pages',
    '__proto__',
    '[]',
    'toString',
  ])
    t.strictSame(read(`${encodeURIComponent(name)}=PAID`), { values: {}, unknown: [name], fields: [] }, name)
})

t.test('a list of texts is not parted at commas, which a text may hold', async (t) => {
  t.strictSame(read('externalId=a,b&externalId[]=c').values, { externalId: ['a,b', 'c'] })
})

t.test('no two parameters of an operation differ in spelling alone', async (t) => {
  for (const { operationId, query } of routes) {
    const names = Object.keys(query?.properties ?? {}).map((name) => name.replace(/[_-]/g, '').toLowerCase())
    t.equal(new Set(names).size, names.length, operationId)
  }
})
