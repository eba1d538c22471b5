// Made by `scripts/make-word-lists.mjs` from an-array-of-english-words 2.0.0 (MIT), in the order of popular-english-words 1.0.2 (ISC).

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
