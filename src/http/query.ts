/** The query as fields; a field that is given twice becomes a list, which no operation accepts. */
export function queryOf(url: string): Record<string, string | string[]> {
  if (!url.includes('?')) return {}
  const { searchParams } = new URL(url)
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      // A bare + in a query arrives as a space, and no parameter here has spaces: `+05:00`, `Etc/GMT+5`.
      const values = searchParams.getAll(name).map((value) => value.replaceAll(' ', '+'))
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}
