import t from 'tap'
import { copierOf } from '../../../engine/shared/copier.ts'

type Person = { readonly name: string; readonly age: number; readonly 'pet-name'?: string }

t.test('a copy has the changes, of which the later count, and the original stays as it is', async (t) => {
  const copied = copierOf<Person>()
  const ana = Object.freeze<Person>({ name: 'Ana', age: 30 })
  t.strictSame(copied(ana, { age: 31 }), { name: 'Ana', age: 31 })
  t.strictSame(copied(ana, { age: 31 }, { age: 32, name: 'Bia' }), { name: 'Bia', age: 32 })
  t.strictSame(ana, { name: 'Ana', age: 30 })
})

t.test('a member that is new in one copy is in the copies of it', async (t) => {
  const copied = copierOf<Person>()
  const ana: Person = { name: 'Ana', age: 30 }
  const owner = copied(ana, { 'pet-name': 'Rex' })
  t.strictSame(copied(owner, { age: 31 }), { name: 'Ana', age: 31, 'pet-name': 'Rex' })
  t.strictSame(copied(ana, { age: 31 }), { name: 'Ana', age: 31 })
})

t.test('objects of very many shapes are copied as well', async (t) => {
  const copied = copierOf<Readonly<Record<string, number>>>()
  for (let n = 0; n < 100; n++) {
    const names = Array.from({ length: n }, (_, place) => [`m${place}`, place] as const)
    const value = Object.fromEntries(names)
    t.strictSame(copied(value, { last: n }), { ...value, last: n })
  }
})
