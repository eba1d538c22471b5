// Made by `scripts/make-word-lists.mjs` from an-array-of-english-words 2.0.0 (MIT), in the order of popular-english-words 1.0.2 (ISC).

/** The 2,400 most frequent words of five letters, which Wordle hides. */
export const answerWords: readonly string[] = `
abbas abbey abbot abide abode about above abuse abyss acids acorn acres acted acton actor acute adapt
added adept admin admit adobe adopt adult aegis afoul after again agent agile aging agony agree ahead
aided aides aimed aired aisle alamo alarm album alder alert algae alias alien align alike alive alley
allow alloy alone along aloud alpha altar alter amber amend amiga amino amman among amour ample angel
anger angle anglo angry anime ankle annex apart apple apply apron arbor areas arena argue argus arias
ariel arise armed armor aroma arose array arrow arson ashes aside asked aspen assam assay asset atlas
atoll atoms attic audio audit avail avant avian avoid await awake award aware awful axial axiom axles
azure babel backs bacon badge badly baked baker balls banco banda bands banjo banks bantu barge barns
baron barra barry basal based bases basic basil basin basis batch bates baths baton bayou bazar beach
beads beams beans beard bears beast beats beech beers began begin begum begun beige being belle bells
belly below belts bench bends benny berry berth betty bible biker bikes bills billy binds bingo birch
birds birth bison bites black blade blame bland blank blast blaze bleak bleed blend bless blind blink
bliss blitz block blogs blond blood bloom blown blows blues bluff blunt blurb board boast boats bobby
bogus boils boles bolts bolus bombs bonds bones bonus books boost booth boots booty bored borne bound
bouts bowed bowel bower bowie bowls boxed boxer boxes brace brain brake brand brant brass brave bravo
brawl bread break breed brent bribe brick bride brief brill bring brink britt broad brock broke brood
brook broom brown brush brute bucks buddy buffy buggy bugle build built bulbs bulge bulky bulls bully
bumps bunch bunny burgh burke burns burnt burst buses busts butch butte buyer bytes cabal cabin cable
cache cadet cadre cafes cages cairn cakes calif calls camel cameo campo camps canal candy canoe canon
canto cards cared cares cargo carol carry carte carts casas cases caste casts catch cater causa cause
caves cease cedar ceded cello cells cents ceres chain chair chalk champ chang chant chaos charm chart
chase cheap cheat check cheek cheer chefs chess chest chick chico chief child chile chili chill chime
china chips choir choke chola chord chose chuck chunk chute cider cigar circa cisco cited cites civic
civil clade claim clans clash clasp class claws clean clear clerk click cliff climb cline clint clips
cloak clock clone close cloth cloud clown clubs clues coach coast coats cobra cocoa coded codes codex
cohen coils coins colby coles colin colon color colts combo combs comes comet comic comma comte cones
congo conte conus cooks coral cords cores corey corps costa costs couch cough could count coupe court
cover cowan crabs crack craft craig crane crank crash crawl craze crazy cream creed creek creep crest
crewe crews cried cries crime crisp croft crook crops crore cross crowd crown crows crude cruel cruft
crush crust crypt cubes cubic cults cupid cured cures curly curry curse curve cyber cycle daddy daily
dairy daisy dance dandy danny darcy dared darts dated dates deals dealt deans death debts debug debut
decay decks decor deeds deems defer deity delay delta demon demos denis dense depot depth derby derry
desks deter devil devon diane diary diets diffs digit diner dirty disco discs disks ditch ditto diver
dives dixie dizzy docks dodge dodgy dogma doing dolls dolly domed domes donna donor doors doris doses
doubt dough dover downs dowry dozen draft drain drake drama drank drawn draws dread dream dress dried
drier drift drill drink drive drone drops drove drown drugs drums drunk ducal duchy ducks duets dukes
dumas dummy dumps dunes dunno dusty dutch dwarf dwell dying eager eagle earls early earns earth eased
eaten eaves ebony ebook edged edges edict edits eight elbow elder elect elegy elite elves email emery
emits empty enact ended enemy enjoy enter entry envoy epics epoch equal equip erase erect erica error
essay ester ether ethic ethos euros evade event every evils evoke exact exams excel exert exile exist
exits expel expos extra fable faced faces facet facts faded fades fails faint fairs fairy faith faked
falls false famed fancy fanny farce fared fares farms fatal fates fatty fault fauna favor fears feast
feats feces feeds feels femme fence feral ferns ferry fetal fetch fetus feuds fever fewer fiber fibre
field fiery fifth fifty fight filed files fills filly films final finch finds fined finer fines fired
fires firms first firth fitch fixed fixes fjord flags flair flame flank flaps flare flash flats flaws
flees fleet flesh flick flies flint float flock flood floor flora flour flown flows fluff fluid flush
flute flyer focal focus folds foley folio folks folly fonts foods fools foray force forge forks forms
forte forth forts forty forum found fours foxes foyer frame franc frank fraud freak freed frees fresh
friar fried fries fritz frogs front frost fruit fuels fugue fully funds fungi funky funny furry fused
fuzzy gable gains gamer games gamma gangs garda garth gases gates gator gauge gears gecko geese gemma
genes genie genoa genre genus ghost giant gifts gills gimme girls given gives gland glass glide globe
glory gloss glove gnome goals goats going golds gonna goods goofy goose gorge gotta grabs grace grade
grail grain grams grand grant grape graph grasp grass grave great greed greek green greet grids grief
grill grind grips groin groom gross group grove grown grows guard guess guest guide guild guilt guise
gules gully gusts gypsy habit hails hairs hairy halls hands handy hangs happy hardy harem harms harry
harsh haste hasty hatch hated hates haunt haute haven havoc hawks hazel heads heard hears heart heath
heats heavy hedge heels heirs heist helix hello helps hence henry herbs herds heron hicks hides highs
hills hilly hinge hints hired hires hoard hobby hogan holds holes holly homer homes homme honda honey
honor hooks hoops hoped hopes horde horns horse horst hosts hotel hound hours house hover hulls human
humid humor hunts hurry hurst hurts hydra hydro hymns hyper icons ideal ideas idiom idiot idols image
imply index india indie inert infer inlet inner input inset intel inter intro ionic irons irony isles
islet issue items ivory jacks james japan jeans jelly jenny jerry jesse jesus jetty jewel jimmy johns
joins joint joked joker jokes jolly jones judas judge juice jumbo jumps junta juror kanji kappa karma
kayak keeps kelly kerry kicks kills kinda kinds kings kiosk kirby kitty knees knife knock knoll knots
known knows kraft kudos kylie label labor lacey lacks laden lager laird lakes lamps lance lands lanes
lapse large largo larva laser lasts later latex laugh laura lawns layer leach leads leafs leaks leaps
learn leary lease least leave leben ledge leech legal legit lemma lemon lends leone level lever levin
lewis liang libel liber lifts light liked likes limbo limbs limit lined linen liner lines links linux
lions lipid lists liter litre lived liver lives livre loads loans lobby lobes local locks locus lodge
lofty logan logic login logos looks loops loose lopes lords lorry loser loses lotus lough louie louis
loved lover loves lower lowry loyal lucid lucky lunar lunch lungs lured lying lynch lyric macon macro
madam madre mafia magic magma mains maize major maker makes males malik malls manga mango mania manly
manor maple march mares marge maria marks marry marsh masks mason massa masse masts match mater mates
maths maxim mayan maybe mayor meals means meant meath meats mecca medal media meets melee memes menus
mercy merge merit merle merry messy metal meter metre metro micro midst might miles milky mills mimic
minas minds mined miner mines minor minus mirza misty mitch mixed mixer mixes modal model modem modes
mogul moira moist molar molly monde mondo money mongo monks monte month monty moods moody moons moors
moose moral moray morse moses motel moths motif motor motto mould mound mount mouse mouth moved mover
moves movie muddy mules mummy mural music muted myths nails naive naked named names nancy nanny nasal
nasty natal naval nawab necks needs needy nelly nerve nests never newer newly nexus nicer niche nicht
nicol niece niger night ninja ninth noble nodes noise noisy nomad norma norms north notch noted notes
nouns novel nurse nylon nymph oasis obese occur ocean oddly offer often older olive ollie omega omits
onion onset opens opera opium opted optic orbit order organ oscar other otter ought ounce outer ovens
overs overt owing owned owner oxide ozone packs paddy padma padre pagan pages pains paint pairs paler
palms panda panel panic pants paolo papal paper paris parks parry parse parti parts party pasha pasta
paste patch paths patsy patty pause paved peace peach peaks pearl pedal pedro peers peggy penal pence
penny perch peril perry pesos pests petar peter petit petri petty phase phone photo piano picks piece
piers piety pilar piles pills pilot pinch pines pinto pious piped piper pipes pitch pivot pixel pizza
place plain plane plank plans plant plate playa plays plaza plead pleas plots plugs plume poems poets
point poker polar poles polio polis polka polls polly ponce ponds pooja pools popes poppy porch pores
porta ports posed poses posse posts potts pouch pound power prank pratt press price pride prima prime
primo print prior prism privy prize probe prods promo prone proof props prose proud prove proxy psalm
pulls pulse pumps punch pupil puppy purge purse pygmy quack quake quark queen queer quell query quest
queue quick quiet quill quite quits quota quote rabbi raced racer races racks radar radio raids rails
rains rainy raise rally ralph ramps ranch randy range ranks rants rarer rated rates ratio raven razed
razor reach react reads ready realm rebbe rebel recap reddy reeds reefs reels reeve refer refit regal
rehab reign reins relax relay relic remit remix renal renew rents repay repel reply reset resin rests
retro reuse revue rhine rhino rhyme rider rides ridge riffs rifle riggs right rigid riley rings riots
risen rises rishi risks risky rites rival river roach roads roast robes robin robot rocks rocky rodeo
roger rogue roles rolls roman romeo roofs rooms roots roper ropes roque roses rotor rouen rouge rough
round rouse route rover rowan rowed rower royal rubin rugby ruins ruled ruler rules rumor rural rusty
saber sabha sable sabre sacks sadly safer sages sahib sails saint salad sales salle sally salon salsa
salts salty samba sammy sands sandy santo saros satin sauce saved saves savoy savvy scala scale scans
scant scare scarf scars scary scene scent scoop scope score scots scout scrap screw scrub scuba seals
seams sears seats sects sedan seeds seeks seems seine seize sells sends senna sense serge serra serum
serve seton setup seven sewer sexes shack shade shady shaft shake shaky shale shall shame shape share
shark sharp shawn shear sheds sheen sheep sheer sheet shelf shell shift shine shiny ships shire shirt
shiva shock shoes shook shoot shops shore short shots shout shown shows shrub sided sides siege sight
sigma signs silky silly silva since sings sinks sinus sired siren sited sites sixth sixty sized sizes
skate skier skies skill skink skins skirt skull slabs slack slade slain slang slant slash slate slave
sleep slept slice slick slide slips sloan sloop slope slots slows slump slums small smart smash smear
smell smile smith smoke smoky snack snail snake snaps snare sneak snout snowy sober socks soils solar
solid solos solve sonar songs sonic sonny sorry sorts souls sound south soyuz space spade spain spans
spare spark spawn speak spear specs speed spell spelt spend spent sperm spies spike spill spine spins
spiny spire spite split spoil spoke spoof spoon sport spots spray spree spurs squad squid stabs stack
stade staff stage stain stair stake stale stalk stall stamp stand stare stark starr stars start state
stats stays stead steak steal steam steel steep steer stein stems steps stern stick stiff still sting
stint stock stoke stole stone stony stood stool stops store storm story stout stove strap straw stray
strip stubs stuck study stuff stump stunt stupa style sucks sugar suing suite suits summa sunny super
surge sutra swain swami swamp swamy swans swarm swear sweat sweep sweet swell swept swift swine swing
swiss sword swore sworn swung sybil sykes synod synth syrup sysop table taboo tails taken takes tales
talks tally taluk tammy tango tanks taped tapes tarot tasks taste tatar taxed taxes taxis taxon teach
teams tears teddy teens teeth tells tempo temps tends tenor tense tenth tents terms terra terry tesla
tests texas texts thank theft their theme there these theta thick thief thigh thing think third thorn
those three threw throw thugs thumb tidal tides tiers tiger tight tilde tiled tiles timed timer times
tired tires titan title toast today token tolls tombs tommy tonal toned tones tonga tonic tonne tools
tooth topic torah torch torso total touch tough tours towed tower towns toxic toxin trace track tract
trade trail train trait tramp trams trans traps trash tread treat trees trend triad trial tribe trick
tried trier tries trios trips trois troll troop trout truce truck truly trump trunk truss trust truth
tubes tufts tulip tumor tuned tunes turbo turks turns tutor twain tweak tweed tweet twice twigs twins
twist tying tyler typed types typos tyres ultra uncle uncut under undid undue unfit unify union unite
units unity until upper upset urban urged urges urine usage users usher using usual usurp utter vague
valet valid valor value valve vapor vases vault vegan vegas veins venom vents venue venus verbs verge
verse verve vicar vichy video views vigil villa vines vinyl viola viper viral virus visas visit vista
vital vivid vocal vodka vogue voice volta volts voted voter votes vowed vowel waged wager wages wagon
waist waits wakes waldo wales walks walla walls wally waltz waned wanna wants wards wares warns wasps
waste watch water watts waugh waved waves wears weary weave weber wedge weeds weeks weigh weird welch
wells welsh whale wharf whats wheat wheel where which while white whole whorl whose widen wider widow
width wigan wight wikis wills willy winds windy wines wings wiped wired wires witch witty wives woman
women woods woody words wordy works world worms worry worse worst worth would wound woven wraps wrath
wreck wrist write wrong wrote yacht yahoo yards yates years yeast yield young yours youth zebra zeros
zonal zoned zones
`
  .trim()
  .split(/\s+/);

/** 2,600 more words of five letters, which can be guessed. */
export const otherWords: readonly string[] = `
aarti aback abate abele abhor abies abort abram abuts aches acker acrid actin adage adder addio adieu
adios adore adorn aedes aeros affix afire afoot agama agape agate agave aggie agios agora ahold aimer
akita aland alans albee aldea aleph algal alibi aline aliya alkyl allay allee allis allot allyl almas
aloft aloha aloof altho altos alums amass amaze ambit ameer ament amici amide amigo amine amiss amity
ammon amply amrit amuse anata angas angst anima anion anise anker annas annoy annul anode anole antar
antes antic anvil aorta apace aphid aphis apnea appel apses aptly arcos arcus ardor areal areca arete
argon ariki arish arles arras arsed artic artis artsy asana ascot ashen asker askew asper aspro assai
asses aster atman atone atria attar auger augur aunts aunty aural aurum autos auxin avast avert avion
awash awoke axils axing axons ayres azide babes bacha bagel baggy bails baits bakes baldy baler bales
bally baloo balsa balti bambi banal bandy bangs barbe barbs barca bardo bards bared bares barks barmy
barre barro basho basse bassi basso basta basti bathe batik batts batty bawdy bayes bayle beaks beano
beare beaty beaut beaux bebop becke becks beeps beery beets begat beget belay benet bento beret berks
beryl beset bests betel betta bevel bezel bicep biddy biggs bight bigot bijou bilbo bilby biles bilge
bimbo bindi binge binks biogs biome biota bipod birks bitte bitty blain blatt bleep blest blimp bling
blips bloat blobs blocs bloke blued bluey blume blurs blush boars bocca bodhi boeuf bogan bogey boggy
bogie bogle boing bombo boner boney bongo bonne bonny booby booed booms booze borax borde borel borer
bores borgo boric boron bosom boson bossy botts bough boule boult bourg bourn bowes bowne boyar brach
brack bract brags braid brash brats brava brawn bream brees breve brews briar brier brigs brine brisk
brits broch brome bronc broth bruin brule brunt bubba budge buffa buffs bulla bumpy bunce bundy bunko
bunks bunty bunya buoys buran burks burly burro burry bursa busby bused bushy busty buteo butts butyl
buzzy bylaw byway cacao cacti caddy caged caird cajon cajun calla calms calyx camas campi campy camus
canes canna canny canso canty caper capes capiz capon caput carat carbo carbs cardi carer caret carex
carle carom caron carpi carse carta carve casco cased casks cates catty caved cavil cedes ceiba celeb
cella celli celts cento cesta chace chaco chaff chams chana chaps chara chard chars chasm chats chaya
cheka chela chemo chert chevy chews chewy chiao chica chimp chine chink chino chirp chock choco cholo
chops chore chota chowk chums churn cilia cissy civet clack claes clamp clams clang clank claps claro
clary clave clays cleft cleve clift cling clogs clots clout clove clump clung coals cobbs coble cocks
cocky cocos codas codec coder codon coffs colas colds coley colic comas combe combi comer comix comms
comps comus conch condo coney conga conic cooch cools coops coots coped copes copra copse coram corby
corgi coria corky cornu corny corse corso coste cotes cotta coups cours coven coves covey cowry coxed
crags crake cramp craps crass crate crave credo creel creme crepe crept cress cribs crick crier crimp
crise crits crock crome crone cronk crony croon crumb crump crunk cruse cubed cubit cuddy cuffs cully
culpa cumin curbs curia curie curio curls curvy cusps cutie cutty cycad cynic cysts dacha daffy dales
dalle dally daman dames damme dares datos datum davit dawns dayan dazed debar debby debit debye decal
decoy decry deere degas deism deist delft dells delos delve denim dents detox deuce devas dewan dewar
dials diced dicey dicks dicky dicta diddy diene dikes dildo dilly dimer dimes dimly dinar dined dines
dingo dingy dinky dinos diode dirge dirks ditty ditzy divan divas dived divis diwan dixit djinn dobie
dobra dobro doggy dolce dolor donne donny donut doody doped dopey doric dorms dotty douce douma doves
dowdy dower dowie downy dowse doyen dozer draco drags drape dregs dries drips droid droit droll droop
dross druid dryad dryer duals dubbo ducky ducts duddy dudes duels dumbo dumka dunam dunce duomo duped
duper dupes duple dural duras durst dusky dwelt dyers eared easel eases easts eater echos edema eerie
egged egger egret eider eidos eject eland elfin elope elude emacs embed ember emcee emend emirs emmer
emmet emmys ender endow enema eniac ennui enrol ensue epoxy ergot erick erode erred erupt esses ethyl
etude evens evert evict exalt execs exons expat extol exude fader fagin fakes fakir fangs fanon faqir
farts fasti fasts fated fatso fatwa faxes fayre fecal fecit fedex feign feint feist fella fells felon
femur fends feria fermi festa fests feted fiche ficos ficus fides fiefs fiend fifer filer fille filth
finca finis fiord fishy fists fitts fives fixer fizzy flack flail flake flaky flask flava fleas fleck
flier fling flips flirt flops flory floss flout fluke flume flung flyby foals foams foamy foggy foils
folia folic folie fonda fonds footy fords forel forex forgo forme forza fossa fosse fouls fount fovea
foyle frail freer frere frets frill frisk frist frith frits frock frond frons froth frown froze fryer
fudge fumes fundy furor furth fuses fussy futon fuzes gabba gabby gaddi gaffe gaits galas galea gales
galls galop gamba gamed gamut gandy ganja garbo gated gaudy gault gaunt gauss gauze gavel gazes geeks
geeky geest geist genas genet gents germs geste geyer ghats ghazi ghoul giddy gigas gilly gimel ginny
gipsy girly girth giver gizmo glace glade glans glare glaze gleam glean glebe glens glial glint glitz
gloom glows glued glues gluon glyph gnats goads godly goers goldy golem golly gomer gompa gongs gonzo
goody gooey goold goons gores gorse gosse goths gouge gourd gowan gowns grads graff graft grama grate
gravy grays graze grebe greve greys grice griff grime grimy grins griot gripe grist grits groan grosz
grout growl grubs gruel gruff grund grunt guano guava guile gulag gulch gulls gumbo gummy gundy guppy
gurus gusto gusty gutsy gutta guyed guyot gyrus hacks hades hadji hafiz haiku hajji hakea hakim halal
hales hallo halos halts halve hamed hamza hance hanks hansa hants haram hares harps harpy harts hasta
hater hatha haugh hauls hause haver hayle hazan heady heald heals heaps heave hecht hefty helio hells
helms henge henna henny heres heros hertz hexes hight hijab hijra hiked hiker hikes hinds hippo hippy
hitch hiver hives hoary hoist hokey holed holla holon homey homie honan honed honky hooch hoods hooky
hoppy horas horny hoses hotly hough howdy howes howls hoyas hoyle huger hulks humps humus hunch hunky
hurls husks husky hutch hyena hymen hynde hyped hythe icing ictus ident idler idyll igloo iliac iliad
ilium iller imago imams imbue inane inbox incur inept infix infos infra ingle ingot inked inker inlay
intra irate irked issei itchy izard izzat jacky jaded jaffa jager jagir jails jakes jambo janes jawan
jawed jazzy jebel jeeps jeffs jello jemmy jerks jerky jeune jinks jirga jnana jocko jocks jokey joule
jours joust jugal juicy jukes jumpy junco junks junto kalam kalpa kandy kanga karas karat karoo karst
karts kasha kauri kazoo kebab keels kells kendo kerns ketch keyed khadi khaki khans khoja kiley kilns
kilos kinks kinky kisan kites kiwis klang kluge knack knave kneel knell knelt knobs koala koban kohen
koine kondo kooks kooky krabs krang kranz kraut krewe krill krona krone kroon kudzu kugel kutch kyrie
labia laced laces ladle lagan lahar laika laity laker lakhs lakin lamas lambs lamia lande lanky lapel
lapin lapis larch lares larks lasso latch lathe latte lauds lavas laver lavra layup lazar leafy leaky
leans leapt leash leery leese lefty leger legge leman lemur lento leper lethe levee levis lexis liana
liane liard liars libra libri licht licit licks lidar liege liens lifes liger ligne liken lilac liman
limba limes lindy linga lingo lisle lites litho livid llama llano loach loamy loath lobed lobos lochs
locos locum loess lofts logie logon lohan loins lolly lomas loner longa longe longs looie looms loons
loony loopy loper loran lores loris lossy lotte lotto louse lousy lovat lowes lowly ludes luger lumen
lumps lumpy lunge lupin lupus lurch lures lurid lurks lusts lusty lutea lutes lyase lymph lysis macaw
machi macho madge madly mafic mages maggs magus maids maiko maile mails maire makar malam malar malts
malwa mamas mamba mambo mamie mamma mammy manas manat mandi manes manet mange manic manis manna manos
manse manta manto manus marae marah maras marka marly maron marri marts maser massy matai mated matin
matte mauri mauve maven mavis maxis mayas mazer mazes mbira meads mealy meany meaty medic medii melas
melba melds melon melts memos mensa merch mesas mesic meson mesto meted metis meuse mezzo micas miche
micky micos midge mikes milch miler mille milos mimes minar mince minim minis minke minos mints minty
mired miros mirth miser mises missa missy mists miter mites mitre mixup moans moats mocha mocks modus
moers moire molds moldy moles molla molto momma mommy monad moped morel mores moria morne moron morph
morra morro morts mossy motet motte moult mourn mowed mower moxie moyle mucho mucus mudge mudra mufti
muggs mulch mulga mulla mumps munch mungo muons murex murky murry murti mused muses mushy myall mylar
myrrh nabla nacho nadir nagas nahal naiad naira nance nandu nanna nappy nares natty navel naves nears
neath nebel negus nerds nerdy neves newts ngati nicks nidal nifty nihil nines nisei niter nitro nitty
nizam nkosi nobby nobly nodal noddy noirs nomen nomos nonce nonet nooks noose nosed noses novae novas
novum noyes nubia nudes nudge nuked nukes nulla nutty nyssa oases oaths obeys obits objet oboes occam
ochre octal octet oculi odder odeon odors odour offal ogham ogres oiled oiler okapi olden oller ology
ombre omens oozes opals opine orang orcas ordos orgue oriel ortho ostia otaku ouija outdo outed outro
ovals ovary ovate ovoid owlet oxbow ozzie paced pacer paces pacey pacha pacts paean paged pager paisa
palas pales palla pally palpi palps palsy pampa panes pangs pansy panto paoli papas pappy paras pardi
pared pares parka parle parra paseo passe pasts pasty pater patio pauls pavan paves pawns payed payee
payer pears peart pease peaty pecan peeks peels peeps peeve pekan pekin pelts penna penne peony peppy
perce perdu perea peres peris perks perky perse pesky petal petre phage phang pharm phlox phono phony
phyla picky pieta piezo piggy pikes piled pimps piney pings pinks pinky pinna pinot pinta pints pipit
pique pisco piste pithy piton pitta pixie plage plaid plait plebs plena plied plies plows pluck plumb
plump plums plush poise poked pokes pokey polje polyp pongo ponts ponty pooch poppa porgy porky porno
poser posey posit potty poule pours prang prats prawn prays preps presa prest preys prick primi prion
prise probs profs proms prong prost proto prowl prune psion psych pubic pubis puffs puffy pulps pumas
punks punky punto punts pupae pupal purer pushy putti putty pylon qibla quads quail quale quant quart
quash quasi quays qubit quilt quina quine quint quips quire quirk quist rabat rabid radii radix radon
rafts ragas raged rages ragga raine rajah rajas raked rakes ramen ramin ramis ramus rance ranga rangi
raspy rasta ratan ratel rater ratha raved ravel raves rayne rayon razer readd reals reams rears rebar
rebus rebut recce recon recto recur recut redan redid redox redux reedy reeks regie reiki renga repin
repos rerun resto retag retry revel rhone riata ribas ribes ricks rifts rigor riled rimes rinks rinse
rioja ripen riser rivas riven rives rivet roams roars robed roker ronde rondo ronin ronne rooks roomy
roose roost roped rorty roshi rosin routh rowdy rowen rubel ruble rubus ruddy rueda rumba rumen rummy
runes rungs runic runny rupee russe sabin sabir sabot sabra sacra sadhu safed safes sagas sager saheb
saiga saith sakai sakes salix salmi salto salve salvo saman sambo sanga sangh sango sansa sappy saran
saree sarge sarin saris sassy satis satyr saucy sault sauna saver savin savor sawed saxes sayed sayer
sayid scalp scaly scamp scams scapa scape scarp scena schwa scion scold scone scops scorn scour scree
scrip scrum scull secco sechs seder sedge seedy seely seeps seers sefer segar segue selah sella selle
selva semis senor sente senza sepal sepia sepoy septa septs serai serer serfs serif serre servo setae
sever sewed shags shalt shama shams shand shank shard shaul shave shawl sheaf sheik shere sheva shied
shiel shill shins shirk shoal shogi shoji shola shone shorn shove showy shred shrew shrug shuck shuns
shunt shura shute shuts sibyl sider sieur sieve sighs sigil sikes siler silks sills silos silty simba
sines singe sippy sires siris sissy sitar sitka sixes skeet skene skews skids skied skiff skips skits
skool skunk slams slane slaps slats slays sleds sleek sleet slime slims slimy sling slits sloth slugs
slung slurs slush slyly smack smelt smite smits smock smoot smuts snafu snags snark snead sneed sneer
snell snide sniff snipe snook snoop snort snows snuck snuff soaps soapy soars sodas sodom sofas soggy
sokol solan solas soler soles solon solus soman sonne sooty sophy sopra sorel sores sorex sorta soups
sowed sower spake spams spank spars spasm spate spats speck speer spied spiel spier spiky spilt spina
spink spits spitz splat spook spool spore spout sprig spunk spurt squat squaw squib stags staid stane
stang stash stave steed steen stela stele steno stent stews stile stilt stink stipe stirs stoic stomp
stong stoop stork stott stour strad stria strow strum strut studs stumm stung stuns sture sturt suave
sucre suede sully sumac sunna supra surah surat surly sushi sutta swabs swale swank swaps swart swash
swath swede swims swipe swire swirl swish swoon swoop sylph sylva synch syrah tabby taber tabid tabla
tabor tacit tacks tacky tacos taffy taiga taiko taint taira taish taker takin takis talas talon talpa
talus tamed tamer tanga tangy tanka tanna tansy tanto tapas taper tapir taras tardy targa tarry tarsi
tarts taser tasty taube taunt tawny tease techs teeny telco teles telex telly telos tempi tempt tench
tenet tepid terai terek teres terns terse testa testy tetra thale thana thane thang thein thema thine
thins thiol thong thorp thump thyme tiara tibia tichy ticks tikka tilak tilly tilts timid timon tinea
tines tinge tinny tints tippy tipsy tithe titre toads toddy toile tolan tolly toman tomes tomos tondo
toner toney tongs tonka tonks toons toots topaz topos torii toros torts torus totem touts towel toyed
trawl trays treks trice trike trill trims trine tripe trist trite tromp trope trove truer tryst tsars
tubal tubas tubby tuber tulle tummy tunas tuner tunic tunny tuple tusks tutti twang tween twine twirl
uhuru ulama ulcer ulema ulnar umber umbra ummah unary unban unlit unmet unset untie unwed upped ursae
usury vagus vakil vales valse vamps vanda vanes vapid vardy varia varna varus veena veers veils velar
veles verso vespa vesta vests vetch vexed vials vibes vices vigor viner vireo vires visor visto vitae
vivas vives vixen vlogs voces vodou voids voila volar voles volte vomit vouch vroom vrouw vulva vying
wacko wacky waddy waded wafer wagga wahoo wails waite waive wands warez warms warps warts warty waver
waxed waxes wazir weald webby wedel weedy weems weeps weirs weise welds wests whack whang wheal whiff
whigs whims whine whiny whips whirl whisk whist whoop wicca wicks wield wilco wilds wiles wilts wimpy
winch winks wiper wipes wiser wispy woken wolds wonky wooed wooly wreak wrens wrest wring writs wroth
wryly wushu wuxia xenia xenon xerox xylem yager yanks yarns yearn yells yerba yikes yodel yogic yogis
yolks yorks yucca yummy zaire zakat zaman zetas zilch zilla zines zippo zippy zooms zorro zulus
`
  .trim()
  .split(/\s+/);

/** The 3,000 most frequent words of six to nine letters, which Hangman hides. */
export const longWords: readonly string[] = `
abandoned abilities ability aboard abolished abroad absence absent absolute abstract academic academy
accept accepted access accessed accident acclaimed according account accounts accuracy accurate accused
achieve achieved acoustic acquire acquired across acting action actions active actively activist
activists activity actors actress actual actually adapted adding addition additions address addressed
addresses adequate adjacent admins admiral admission admitted adopted adoption adults advance advanced
advantage adventure advice advised advisor advisory advocacy advocate aerial affair affairs affect
affected affiliate afraid aftermath afternoon against agencies agency agenda agents aggregate agreed
agreement agrees aircraft airing airline airlines airport alaska albert albums alcohol alexander
algorithm alleged allegedly alliance allied allies allowed allowing allows almost alongside already
altered alternate although altitude alumni always amateur amazon amendment amongst amount amounts
analysis ancestry anchor ancient angels animal animals animated animation announced annual annually
anonymous another answer answered answers anthology anybody anymore anyone anything anyway anywhere
apartment apparent appeal appeals appear appeared appearing appears applied applies applying appointed
approach approval approved arabic arbitrary architect archive archived archives argentine argued argues
arguing argument arguments armies around arranged arrest arrested arrival arrive arrived arrives arriving
article articles artillery artist artistic artists artwork asking aspect aspects assault assembly
assertion assessed assets assigned assist assistant assisted assists associate assume assumed assuming
athlete athletes athletic athletics attached attack attacked attacking attacks attempt attempted attempts
attend attended attending attention attitude attorney attract attracted audience audiences august author
authored authority authors automated automatic autumn available avenue average aviation avoided awarded
awards awareness bachelor backed backing balance ballet banking banned banner baptist barely baseball
basically bassist battalion battery battle battles bearing beaten beating beautiful beauty became because
become becomes becoming before beginning begins behalf behavior behaviour behind belief beliefs believe
believed believes believing belong belonged belonging belongs beneath benefit benefits benjamin berlin
besides better between beyond biased bigger biggest billboard billion binding biography biology birthday
bishop bishops blocked blocking blocks boards bodies bombing border borders borough boston bottom bought
boulevard boundary boxing branch branches brands brazil breaking breaks breeding bridge bridges briefly
brigade bright bringing brings bristol broadcast broader broadway broken bronze brother brothers brought
browser budget buffalo building buildings bureau burial buried burned burning business butler button
cabinet calendar called calling camera campaign campaigns campus canada cancelled cancer candidate cannot
canvas capable capacity capital captain caption capture captured carbon cardinal career careful carefully
carried carrier carries carrying carter cartoon carved castle catalog catalogue category cathedral
catholic cattle caught caused causes causing cavalry ceased celebrate celebrity cemetery census center
centered centers central centre centres centuries century ceremony certain certainly certified chairman
challenge chamber champion champions chance change changed changes changing channel channels chapel
chapter chapters character charge charged charges charity charlie charlotte charter charts checked
checking cheers chemical chemistry childhood children chinese choice choose chorus chosen christian
church churches cinema circle circles circuit circular citation citations cities citing citizen citizens
civilian civilians claimed claiming claims clarify classes classic classical cleaned cleanup cleared
clearer clearly client clients climate clinical closed closely closer closest closing closure clothes
clothing coached coaches coaching coalition coastal coffee collapse collapsed collect collected collector
college colleges collins colonel colonial colonies colony colorado colors colour colours column columns
combat combined comedian comedy comics coming command commanded commander commenced comment commented
comments commerce committed committee common commonly commons commune communist community companies
companion company compare compared compete competed competing compiled complaint complete completed
complex component composed composer composers compound compounds comprises computer computers computing
concept concepts concern concerned concerns concert concerts concluded concrete condition conduct
conducted conductor confirm confirmed conflict conflicts confused confusing confusion congress connect
connected connects consensus consent consider considers consist consisted consists constant construct
consumer contact contain contained contains content contents contest contested context continue continued
continues contract contracts contrary contrast control controls convert converted convicted convince
convinced cooper copied copies copper copyright corner corporate correct corrected correctly cotton
council counted counter counties countries country counts county couple course courses courts cousin
coverage covered covering covers crashed create created creates creating creation creative creator credit
credited credits cricket cricketer crimes criminal crisis criteria criterion critic critical criticism
critics crossed crosses crossing crystal cultural culture cultures currency current currently custom
customer customers customs cutting damage damaged dancer dancing danger dangerous danish database dating
daughter daughters dealing deaths debate debuted decade decades deceased decent decide decided decides
decision decisions declared decline declined decorated decrease decree dedicated deemed deeply default
defeat defeated defeating defence defend defended defending defense defensive define defined defining
defunct degree degrees delayed delete deleted deleting deletion deliver delivered delivery demand
demanded demands democracy democrat democrats denied density departed departure dependent depending
depends depicted depicting depicts deployed deputy derived descent describe described describes desert
design designed designer designs desire desired despite destroy destroyed detail detailed details
detected detective determine develop developed developer device devices devoted dialect dialogue diameter
diamond diesel differ different difficult digital dinner diocese diploma diplomat direct directed
directing direction directly director directors directory disabled disagree disaster disbanded discover
discovers discovery discuss discussed discusses disease diseases dismissed display displayed displays
dispute disputed disputes dissolved distance distant distinct district districts diverse diversity
divided divine division divisions divorce divorced doctor doctorate doctors doctrine document documents
dollars domain domestic dominant dominated donated double doubles download downtown dozens drafted dragon
dramatic drawing drawings dreams drinking driven driver drivers drives driving dropped drummer dubbed
duration during duties dynamic dynasty earlier earliest earned earning easier easily eastern eating
economic economics economy edited editing edition editions editor editorial editors educated education
educator effect effective effects efficient effort efforts egyptian eighth either elaborate eldest
elected election elections electoral electric element elements elevated elevation eleven eligible
eliminate elsewhere embassy emerged emergency emerging emotional emperor emphasis empire employed
employee employees enable enabled encounter encourage endemic ending endorsed enemies energy engage
engaged engaging engine engineer engineers engines english enjoyed enlisted enough enrolled ensemble
ensure entered entering enters entire entirely entities entitled entity entrance entries enzyme episode
episodes equally equation equipment equipped erected errors escape escaped essays essential establish
estate estates estimate estimated estimates ethics ethnic evening events eventual everybody everyday
everyone evidence evolution evolved exactly example examples excellent except exception excess excessive
exchange exclusive executed execution executive exercise exhibit exhibited exhibits existed existence
existing exists expand expanded expanding expansion expect expected expensive expert expertise experts
explain explained explains explicit explore explorer explosion export exposed exposure express expressed
extend extended extending extends extension extensive extent exterior external extinct extreme extremely
facebook facility facing factor factors factory factual faculty failed failing failure fairly fallen
falling familiar families family famous fantasy farmer farmers farming fashion faster fastest father
favorite favour favourite feature featured features featuring federal feedback feeling feelings fellow
female females feminist festival festivals fiction fictional fields fifteen fighter fighters fighting
fights figure figures filled filmed filming filmmaker filter finale finalist finally finals finance
financial finding findings finish finished finishing firing fishing fitted flight flights floors florence
flower flowers flying focused focuses focusing follow followed followers following follows footage
football footnotes forced forces forcing foreign forest forests forever forget forgotten formal formally
format formation formats formed former formerly forming formula fortress fortune forward foster fought
founded founder founders founding fourteen fourth framework franchise franklin freedom freely freight
french frequency frequent friend friendly friends fringe function functions funded funding funeral
furniture further future gained gaining gallery gameplay gaming garden gardens garrison gathered
gathering gender genera general generally generate generated generic genetic genres geography german
germans getting giants gilbert giving global goddess golden google gospel governed governing governor
grades gradually graduate graduated graham grammar grandson granted grants graphic graphics greater
greatest greatly greece ground grounds groups growing growth guardian guards guests guidance guideline
guilty guinea guitar guitarist guitars habitat hamlet hammer handed handle handled handling happen
happened happening happens harbor harbour hardly hardware having headed header heading health healthy
hearing heaven heavily height heights helped helpful helping heritage heroes herself hidden higher
highest highlight highly highway highways himself historian historic history hitting hockey holder
holding holiday holland hometown honest honorary honored honors honour honours hopefully hoping horror
horses hospital hospitals hosted hosting hotels housed household houses housing however humanity humans
hundred hundreds hunter hunting hurricane husband hybrid identical identify identity ignore ignored
illegal illness images imagine immediate impact imperial implement implies important imposed impressed
improve improved improving inaugural inches incident incidents include included includes including
inclusion income incorrect increase increased increases incumbent indeed indicate indicated indicates
indoor inducted industry infantry infection influence informed inhabited inherited initial initially
initiated injured injuries injury innings inquiry insects insert inside inspector inspired installed
instance instances instead institute insurance integral intended intense intent intention interest
interests interface interim interior internal internet interview introduce invasion invented inventor
investors invited involve involved involves involving island islands isolated issued issues itself jersey
johnny johnson joined joining jordan joseph journal journals journey judges judgment judicial junction
junior justice justify keeping keyboard keyboards killed killer killing kingdom kitchen knight knights
knowing knowledge labels labour lacking ladies landed landing landmark landscape language languages
largely larger largest larvae lasted lasting latest latter launch launched lawsuit lawyer lawyers layers
layout leader leaders leading league leagues learned learning learns leaves leaving lecture lecturer
lectures legacy legally legend legendary length lengthy lesser lessons letter letters levels liberal
liberty libraries library licence license licensed licensing lifestyle lifetime lighting lights likely
likewise limited limits linear linked linking liquid listed listen listing literacy literally literary
little living locality locally located location locations logical longer longest looked looking losing
losses lowest lyrics machine machines magazine magazines magnetic mainland mainly maintain maintains
majority makeup making manage managed manager managers manages managing manhattan manner mansion manual
margin marine maritime marked market marketing markets marking marriage married marshall martial martin
massive master masters matches material materials matrix matter matters mature maximum meaning meanwhile
measure measured measures measuring mechanism medals median medical medicine medieval medium meeting
meetings member members memorial memories memory mental mention mentioned mentions merchant merely merged
merger merging message messages meters method methods metres michael michigan middle midnight migration
military militia miller million millions minimal minimum mining minister ministers ministry minority
minute minutes mirror missed missile missing mission missions mistake mistakes mixing mixture mobile
models moderate modern modified modify module molecular moment moments monastery monitor monitored
monster monthly months monument monuments moreover morgan morning morris mosque mostly mother motion
mountain mountains mounted movement movements movies moving multiple municipal murder murdered murphy
murray museum museums musical musician musicians mutual myself mystery namely naming narrative narrow
nation national nations native natural naturally nature nearby nearest nearly necessary needed needing
negative neither nelson nephew network networks neutral newspaper nickname nicknamed nights nobody
nominate nominated nominator nominee nonsense normal normally norman northeast northern northwest notable
notably nothing notice noticed noting notion novelist novels november nuclear number numbered numbers
numerous nursing object objection objective objects obscure observed obtain obtained obvious obviously
occasion occasions occupied occurred occurring occurs offense offensive offered offering offers office
officer officers offices official officials oldest oliver olympics ongoing online onwards opened opening
operate operated operates operating operation operator operators opinion opinions opponent opponents
oppose opposed opposing opposite option optional options orange orchestra ordained ordered orders
ordinary organic organised organized origin original origins orleans orphaned orthodox others otherwise
ottoman outbreak outcome outdoor outlets output outside overall overlap overlaps overseas overview owners
ownership oxford oxygen pacific package padding painted painter painting paintings palace panels papers
parade paragraph parallel parameter parent parents parish parker parking partial partially particles
parties partly partner partners passage passed passenger passes passing passion pastor patent patient
patients patrick patrol patron pattern patterns paying payment peaked penalty pending peninsula people
peoples perceived percent perfect perfectly perform performed performer performs perhaps period periods
permanent permit permitted person personal personnel persons petition phoenix photos phrase physical
physician physics pianist picked picture pictured pictures pieces pilots pioneer pitched pitcher placed
places placing planet planned planning plants plastic plates platform platforms platinum played player
players playing playoff playoffs please plenty poetry pointed pointing points police policies policy
polish political politics poorly popular populated portal portion portions portland portrait portraits
portrayed position positions positive possible possibly posted poster posting potential pounds poverty
powered powerful powers practical practice practiced practices praise praised prayer precedent preceding
precise precisely prefer preferred pregnant premier premiere premiered prepare prepared preparing
presence present presented presenter presents preserve preserved president pressure pretty prevent
prevented previous prices priest priests primarily primary prince princess principal principle printed
printing priority prison prisoner prisoners privacy private privately probably problem problems procedure
proceed proceeded process processes produce produced producer producers produces producing product
products professor profile profit program programme programs progress project projects prominent promise
promised promote promoted promoting promotion prompted proper properly property proposal proposals
propose proposed protect protected protein proteins protest protests protocol prototype proved proven
provide provided provides providing province provinces provision proximity public publicity publicly
publish published publisher pulled pupils purchase purchased purely purple purpose purposes pursue
pursued pursuit pushed pushing putting qualified qualify quality quantum quarter quartet quebec question
questions quickly quoted quotes racial racing radiation radical railroad railway railways rainfall raised
raising random rangers ranges ranging ranked ranking rapper rarely rather rating ratings rationale
reached reaches reaching reaction reactions reader readers reading reality realize realized really reason
reasoning reasons rebellion rebels rebuilt recall recalled receive received receives receiving recent
recently reception recipient recognize recommend record recorded recording records recovered recovery
recruited recurring redirect redirects reduce reduced reducing reduction redundant reference referred
referring refers reflect reflected reflects reform reforms refugees refused refuses regard regarded
regarding regards regime regiment region regional regions register regular regularly rejected related
relating relation relations relative relatives release released releases releasing relegated relevant
reliable relief religion religious relocated remain remainder remained remaining remains remarks remember
remote removal remove removed removing rename renamed renaming rendered renewed renowned repair repeat
repeated replace replaced replacing report reported reporter reporting reports represent republic request
requested requests require required requires requiring rescue research reserve reserved reserves
reservoir residence resident residents residing resigned resolve resolved resolves resort resource
resources respect respected respond responded response responses restore restored result resulted
resulting results resumed retail retain retained retired retiring retreat retrieved return returned
returning returns reveal revealed reveals revenge revenue reverse revert reverted reverting reverts
review reviewed reviewer reviewers reviewing reviews revised revision revival rewrite rhythm riders
riding rights rising rivals rivers rocket rogers rolling romance romantic roster roughly rounds routes
routine ruling runner running russia sacred safety sailed sailing saints sample samples sanctions sandbox
satellite satisfy saving saying scandal scenes schedule scheduled scheme scholar scholarly scholars
school schools science sciences scientist scored scores scoring screen script sculptor sculpture search
searches searching season seasons second secondary seconds secret secretary section sections sector
secure secured security seeing seeking seemed seemingly segment segments seized select selected selection
selling senate senator sending senior sensitive sentence sentenced sentences separate separated sequel
sequence sequences sergeant serial series serious seriously servant served server serves service services
serving session sessions setting settings settle settled settlers seventh several severe severely sexual
shadow shallow shaped shared shares sharing shelter sheriff shield shifted shipping shooting shopping
shorter shortly should showed showing siblings signal signals signature signed signing silent silver
similar similarly simple simply singer singers singing single singles sister sisters sitting situated
situation sixteen skills slaves slight slightly slowly smaller smooth soccer social socialist societies
society software soldier soldiers solely solution solutions somebody somehow someone something sometime
sometimes somewhat somewhere sought sounds source sourced sources sourcing southeast southern southwest
soviet spaces speaker speakers speaking speaks special species specific specified specimens spectrum
speech speedy spelled spelling spending spirit spiritual spoken sponsored sporting sports spread spring
springs squadron square stability stable stadium staged stages standard standards standing standings
stands starred starring started starting starts stated statement states stating station stationed
stations statue status stayed steven stolen stones stopped storage stored stores stories straight strange
strategic strategy stream streams street streets strength stress stretch strict strictly strike strikes
striking string strings stroke strong stronger strongly struck structure struggle student students
studied studies studio studios studying styles subfamily subject subjects submarine submit submitted
substance suburb suburbs succeed succeeded success successor suddenly suffered suffering suggest
suggested suggests suicide suitable sultan summaries summary summer summit superior supplied supplies
supply support supported supporter supports suppose supposed supreme surely surface surgeon surgery
surname surprise surprised surrender survey survival survive survived surviving survivors suspect
suspected suspended sustained swimming switch switched symbol symbols symphony symptoms synonym synthesis
system systems tables tactics tagged taking talent talking target targeted targets taught teacher
teachers teaching technical technique telephone telling template templates temple temples temporary
tennis tenure terminal terminus territory terrorist tested testing thanks theater theatre themes theology
theories theory therapy thereby therefore thesis things thinking thinks thirteen thirty thorough though
thought thoughts thousand thousands thread threat threats throne through thrown ticket tigers timber
tissue titled titles together topics topped totally touchdown toured touring tourism tourist toward
towards towers township tracks traded trading tradition traffic trained training trains transfer transit
transport travel traveled traveling travelled travels treated treatment treaty trials tribal tribes
tributary tribute trinity triple trivial troops trophy tropical trouble trusted trustees trying tunnel
turkey turned turner turning twelve twentieth twenty twitter typical typically ultimate unable unanimous
unclear underwent unfree uniform unique united universal universe unknown unless unlike unlikely
unrelated unsourced unused unusual upcoming update updated updates upgraded upload uploaded useful
useless username usually utility valley valuable values vandalism vanity variable variant variants
variation varied varies varieties variety various varying vector vehicle vehicles venture venues verified
verify version versions versus vertical vessel vessels veteran veterans vicinity victim victims victor
victoria victories victory videos vienna viewed viewers viewing village villages violation violence
violent violin virgin virginia virtual virtually visible vision visited visiting visitors visits visual
vocalist vocals voiced voices volume volumes volunteer voters voting voyage waiting walker walking wanted
wanting warfare warned warner warning warnings warrant warren warring warrior warriors watched watching
waters wealth wealthy weapon weapons wearing weather website websites wedding weekend weekly weight
welcome welfare western whatever wheels whenever whereas whether whilst widely wildlife william williams
willing window windows winner winners winning winter wishes withdraw withdrawn withdrew within without
witness wonder wondering wooden wording worked worker workers working workshop workshops worldwide
worship worthy wounded wrestler wrestling wright writer writers writes writing writings written yellow
younger youngest yourself
`
  .trim()
  .split(/\s+/);
