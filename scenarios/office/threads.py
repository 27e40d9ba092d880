"""What Harborlight's people wrote to each other and to customers in six weeks: conversations, newest last.

A line is (workdays back, time, who writes, to whom, text). Names are those of the company, or addresses
outside; each line answers the newest before it that its writer has.
"""

from __future__ import annotations

Line = tuple[int, str, str, str, str]
Thread = tuple[str, tuple[Line, ...]]

WAREHOUSE: tuple[Thread, ...] = (
    ("Forklift 3 again", (
        (29, "07:40", "tom", "jonas",
         "The mast of forklift 3 drops by a hand's breadth overnight. I have parked it."),
        (29, "11:05", "jonas", "tom",
         "Seal kit is ordered, it comes on Wednesday. Use the spare from dock 1."),
        (26, "15:20", "jonas", "tom mira", "Forklift 3 is back. Please have it checked again in a month."),
    )),
    ("Night shift in the second week", (
        (28, "16:10", "tom", "mira", "I am two people short in the second week. Can we ask the agency?"),
        (27, "09:00", "mira", "tom priya", "Priya, may we? Two people, five nights, picking only."),
        (27, "13:45", "priya", "mira tom",
         "Yes. Use the agency that we had in spring, and send me their names beforehand."),
    )),
    ("Stock count on the mezzanine", (
        (24, "08:15", "tom", "kwame",
         "We counted the mezzanine: 14 cartons of fittings are not in the books."),
        (24, "10:50", "kwame", "tom",
         "Whose are they? If they are ours I need the receipt; if not, the owner."),
        (23, "12:30", "tom", "kwame mira",
         "Found it: Alder & Sons never collected them. Mira, can you write to them?"),
        (23, "14:00", "mira", "orders@aldersons.example",
         "Good afternoon,\n\n"
         "14 cartons of fittings of yours are on our mezzanine since spring. Shall we send them on?\n\n"
         "Mira Okafor"),
        (21, "09:35", "orders@aldersons.example", "mira",
         "Dear Ms Okafor,\n\n"
         "thank you for looking after them. A van comes on Friday before noon.\n\n"
         "Alder & Sons"),
    )),
    ("Wet floor by dock 2", (
        (19, "06:55", "tom", "mira hana",
         "There is water by dock 2 when it rains from the east. Somebody will slip there."),
        (18, "10:20", "mira", "tom",
         "The roofer looks at it on Thursday. Until then: mats and a sign, please."),
        (15, "16:00", "tom", "mira", "Roofer was here, gutter is mended. Dry since."),
    )),
    ("Pallet trucks for the cold room", (
        (14, "09:25", "tom", "kwame mira",
         "The two pallet trucks in the cold room are past it. New ones are $640 each."),
        (13, "11:40", "kwame", "tom mira", "One now, one next quarter. Which of them is worse?"),
        (13, "12:05", "tom", "kwame mira", "The blue one. Thank you."),
    )),
    ("Who has the key to the cage?", (
        (8, "17:50", "declan", "tom",
         "I need into the cage for the label printer's spare head. Who has the key?"),
        (7, "06:45", "tom", "declan",
         "It hangs in my office again. Mateo had it in his pocket over the weekend."),
    )),
    ("Gate code from Monday", (
        (5, "15:15", "samir", "mira tom kwame priya jonas leila mateo hana declan nadia ines",
         "Hello all,\n\n"
         "the gate has a new code from Monday 06:00. You get it from me in person, not by mail.\n\n"
         "Samir"),
    )),
    ("Inspection of dock 3", (
        (3, "11:30", "inspector@citysafety.example", "tom",
         "Dear Mr Reyes,\n\n"
         "I can see dock 3 tomorrow at ten, or on Friday at two. Which suits you?\n\n"
         "R. Salcedo"),
        (3, "12:10", "tom", "inspector@citysafety.example",
         "Tomorrow at ten, please. I will be at the gate.\n\n"
         "Tom Reyes"),
    )),
)  # fmt: skip

SALES: tuple[Thread, ...] = (
    ("Quote for Kestrel Cycles", (
        (30, "10:15", "buying@kestrelcycles.example", "mateo",
         "Hello Mateo,\n\n"
         "what would you ask for 120 bicycle boxes a week, stored for ten days each?\n\n"
         "Kestrel Cycles"),
        (29, "14:35", "mateo", "mira kwame",
         "Kestrel asks for 120 boxes a week, ten days each. Do we have the room, and at what price?"),
        (28, "09:50", "mira", "mateo kwame", "Room yes, on the mezzanine, if they bring them on pallets."),
        (28, "15:05", "kwame", "mateo mira",
         "Not below $3.10 a box, all in. Below that we pay for the pleasure."),
        (27, "10:30", "mateo", "buying@kestrelcycles.example",
         "Hello,\n\n"
         "$3.40 a box for ten days, brought on pallets, handling included. The offer stands for a "
         "month.\n\n"
         "Mateo Vargas"),
        (20, "11:00", "buying@kestrelcycles.example", "mateo",
         "Hello Mateo,\n\n"
         "we take it, from the first of next month. Please send the papers.\n\n"
         "Kestrel Cycles"),
    )),
    ("Damaged pallet, delivery 4471", (
        (25, "08:10", "dispatch@brightwater.example", "leila",
         "Good morning,\n\n"
         "one of the pallets of delivery 4471 came with a broken foot and 6 crushed cartons. Pictures "
         "follow.\n\n"
         "Brightwater dispatch"),
        (25, "08:55", "leila", "tom",
         "Brightwater reports a broken pallet in 4471. Did we load it like that?"),
        (25, "10:20", "tom", "leila", "No, I have the loading picture: it was whole. Ask the haulier."),
        (24, "13:30", "leila", "dispatch@brightwater.example",
         "Good afternoon,\n\n"
         "it left us whole, as our loading note says. We have asked the haulier and will "
         "credit the cartons until he answers.\n\n"
         "Leila Mansour"),
    )),
    ("Christmas peak: first figures", (
        (22, "16:25", "mateo", "mira tom leila",
         "First figures for the peak: Brightwater plus 30 %, Kestrel unknown, Alder as last year."),
        (21, "09:15", "tom", "mateo mira leila",
         "Then I need eight more people from the middle of November, and the second shift."),
        (21, "11:45", "leila", "mateo mira tom",
         "And support until eight in the evening, three days a week."),
    )),
    ("A customer who does not answer", (
        (18, "15:00", "leila", "mateo", "Pinecrest has not answered four mails. Do they still exist?"),
        (17, "09:30", "mateo", "leila",
         "They do: they moved, and the old address swallows everything. New one: "
         "office@pinecrest.example."),
    )),
    ("Tour for Kestrel on Thursday", (
        (10, "14:10", "mateo", "tom mira hana",
         "Kestrel comes on Thursday at eleven to see the mezzanine. Twenty minutes, hard hats."),
        (10, "14:40", "hana", "mateo tom mira declan",
         "I have new signs for the walkway by then, if Declan prints them."),
        (9, "08:20", "declan", "hana mateo", "Printed. They lie at the front desk."),
    )),
    ("Complaint about waiting at the gate", (
        (6, "12:45", "fleet@northhaul.example", "leila",
         "Dear all,\n\n"
         "our drivers waited 50 minutes at your gate on Tuesday. This is the second time this month.\n\n"
         "North Haul"),
        (6, "14:15", "leila", "tom mira", "Tuesday, 50 minutes. What was that?"),
        (5, "07:30", "tom", "leila mira",
         "Two trucks came an hour early and blocked the lane. I will give them slots by text message."),
        (5, "09:40", "leila", "fleet@northhaul.example",
         "Dear North Haul,\n\n"
         "we are sorry. From next week your drivers get a slot by text message the evening before.\n\n"
         "Leila Mansour"),
    )),
    ("Renewal: Brightwater Foods", (
        (4, "10:00", "mateo", "ines kwame mira",
         "Brightwater's contract ends in ten weeks. I would like to offer two years at plus 4 %."),
        (3, "17:20", "ines", "mateo kwame mira", "Two years yes, but write the Saturdays into it."),
        (2, "09:05", "kwame", "mateo ines mira",
         "4 % is what the wages went up by. 5 %, please, and we are where we were."),
    )),
)  # fmt: skip

OFFICE: tuple[Thread, ...] = (
    ("Holiday plan until New Year", (
        (28, "08:30", "priya", "mira tom kwame jonas leila mateo hana declan nadia samir",
         "Dear all,\n\n"
         "please enter your days off until New Year by the end of the week. At the peak one person in "
         "three can be away, not more.\n\n"
         "Priya"),
        (27, "12:15", "declan", "priya", "Mine are in. I swap with Samir if it is tight."),
    )),
    ("New laptop for the front desk", (
        (25, "11:25", "mira", "samir",
         "The front desk's laptop takes ten minutes to start. Is there a spare?"),
        (25, "13:00", "samir", "mira", "One is on the shelf. I set it up tonight; mail and calendar only."),
        (24, "08:05", "samir", "mira", "Done. The old one is wiped."),
    )),
    ("Expenses: what I still need", (
        (20, "09:45", "kwame", "mateo hana declan",
         "Receipts for last month, please: Mateo (hotel), Hana (print), Declan (cables)."),
        (19, "10:10", "hana", "kwame", "Print was $86.40, receipt is in your tray."),
        (19, "16:55", "mateo", "kwame", "The hotel sends it again, they forgot our number on it."),
        (12, "09:20", "kwame", "mateo", "Still without the hotel, Mateo. I close on Friday."),
    )),
    ("First-aid course", (
        (16, "10:35", "priya", "tom leila hana",
         "Three of you are due again for first aid. Tuesday or Thursday afternoon?"),
        (16, "11:10", "leila", "priya", "Thursday."),
        (15, "07:20", "tom", "priya", "Thursday too, if the night shift is covered."),
    )),
    ("The logo on the trucks", (
        (13, "15:45", "hana", "ines jonas",
         "Here is the new lettering for the trucks: bigger number, smaller lamp. Two would be done "
         "first."),
        (12, "08:40", "ines", "hana jonas", "I like it. Do HL-07 and HL-12, they are off the road anyway."),
        (12, "10:25", "jonas", "hana ines", "Then within their inspection, please. I tell the painter."),
    )),
    ("Phishing: do not click", (
        (11, "09:05", "samir", "mira tom kwame priya jonas leila mateo hana declan nadia ines",
         "Hello,\n\n"
         "a mail that says it is from our bank asks for a log-in. It is not from our bank. Report it "
         "as spam, please, and tell me if you typed anything.\n\n"
         "Samir"),
        (11, "09:30", "leila", "samir", "I clicked, but typed nothing. Is that bad?"),
        (11, "09:50", "samir", "leila", "No. I have looked at your machine, it is fine."),
    )),
    ("Audit of the claims desk's access", (
        (8, "14:25", "nadia", "samir mira",
         "For the audit I need who could log in at the claims desk on the first of the month."),
        (7, "10:45", "samir", "nadia mira",
         "You, Mira, and Tom through his links. The list with times follows on Monday."),
        (4, "09:25", "samir", "nadia", "The list is on the drive, under Compliance."),
    )),
    ("Insurance: the new premium", (
        (6, "11:50", "office@harborinsure.example", "kwame",
         "Dear Mr Mensah,\n\n"
         "the premium for the coming year comes to $27,300, which is 3 % more. Please confirm by the "
         "end of the month.\n\n"
         "Harbor Insure"),
        (6, "15:35", "kwame", "ines", "3 % more at the insurer. I would ask two others before we say yes."),
        (5, "08:10", "ines", "kwame", "Ask. But not those whose name begins with Sure."),
    )),
    ("Lunch on Friday", (
        (2, "11:05", "hana", "mira leila priya declan",
         "Noodles on Friday? The new place takes ten of us at half past twelve."),
        (2, "11:20", "declan", "hana mira leila priya", "In."),
        (2, "11:25", "leila", "hana mira priya declan", "In, if support is quiet."),
        (1, "09:15", "priya", "hana mira leila declan", "In."),
    )),
    ("Minutes of Monday's round", (
        (1, "17:10", "ines", "mira tom kwame priya jonas leila mateo",
         "Dear all,\n\n"
         "decided on Monday: dock 3 opens as soon as the inspector says so; Saturdays go into "
         "Brightwater's contract; eight people more for the peak.\n\n"
         "Inês"),
    )),
)  # fmt: skip

THREADS: tuple[Thread, ...] = (*WAREHOUSE, *SALES, *OFFICE)
