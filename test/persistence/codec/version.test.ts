import t from 'tap'

t.test('the version of what is written does not depend on the layouts that are loaded', async (t) => {
  const layout = await import('../../../persistence/codec/layout.ts')
  const before = layout.codecVersion
  await import('../../../persistence/codec/entry.ts')
  t.equal(layout.codecVersion, before, 'a field of a later version is in persistence/codec/layout.ts, too')
})
