/** A note that two other implementations agreed on: the seed 00 01 … 1f, and a log of the leaves a, b, c. */
export const NOTE_VECTOR = {
  seed: Buffer.from(Array.from({ length: 32 }, (_, at) => at)),
  leaves: ['a', 'b', 'c'],
  origin: 'consult.example.com/trail',
  vkey: 'consult.example.com/trail+0d342587+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4',
  note: `consult.example.com/trail
3
NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=

— consult.example.com/trail DTQlh/L2+dMDhU/yVeB6olSfRkDmuUIXyZyeEd4lVfs6zUtWUTV50Nzsc+dtNGTdC1pJv1LXomisPQYVvLw/R3IB1Ak=
`,
  proofOf1: [
    'Aippeebat6pa5MPl5F9+l3ESp+Y1k4INvsHsc4ok+Tw=',
    'WX/LMSgtNGVMIA00GPylcFxkjr8ybsc9jd7xGEH4dtg=',
  ],
}
